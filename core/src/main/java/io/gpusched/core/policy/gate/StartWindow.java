package io.gpusched.core.policy.gate;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.state.OpenStarts;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Holds jobs back while an agent has as many open starts as it wants, so that decisions stay near
/// what it can carry out.
///
/// No job overtakes the one that is held: otherwise small jobs would keep a gang from ever getting
/// its turn. Nothing is put to rest, because starts finish within moments.
public final class StartWindow {
    private StartWindow() {}

    /// Why no job can start now; null if some agent takes more starts.
    public static @Nullable Refusal refuse(OpenStarts starts) {
        return refusal(starts.allFull(), starts);
    }

    /// Why the placement cannot start now; null if it can.
    public static @Nullable Refusal refuse(OpenStarts starts, Placement placement) {
        return refusal(starts.exceeded(placement), starts);
    }

    private static @Nullable Refusal refusal(@Nullable Agent full, OpenStarts starts) {
        return full == null
                ? null
                : new Refusal(
                        "in-flight",
                        "waits until agent "
                                + full.id()
                                + " has started earlier jobs: "
                                + Plurals.of(starts.of(full.id()), "task")
                                + " not taken up yet, it takes "
                                + full.inFlight()
                                + " at a time",
                        List.of(new RetryCondition.Started(full.id())));
    }
}
