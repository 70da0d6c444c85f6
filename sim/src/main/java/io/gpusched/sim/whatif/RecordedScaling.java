package io.gpusched.sim.whatif;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.StopCause;

import java.util.List;

/// The recorded decisions about the sizes of pools. A branch keeps them: what its own scaler would
/// have decided depends on load that was only reported about the recorded replicas.
final class RecordedScaling {
    private RecordedScaling() {}

    static List<Event> of(List<Event> decided) {
        return decided.stream().filter(RecordedScaling::isOne).toList();
    }

    static List<Event> without(List<Event> decided) {
        return decided.stream().filter(event -> !isOne(event)).toList();
    }

    /// Only the scaler submits and ends jobs by a decision.
    private static boolean isOne(Event event) {
        return switch (event) {
            case Event.PoolRecommended _, Event.PoolScaled _, Event.PoolLapsed _ -> true;
            case Event.PoolChoice _, Event.ModelWanted _, Event.ModelUnwanted _ -> true;
            case Event.ReplicaDraining _, Event.JobSubmitted _, Event.JobEnded _ -> true;
            case Event.AttemptStopping e -> e.cause().kind() == StopCause.Kind.SCALED_DOWN;
            case Event.ClaimDropped e -> e.reason().startsWith("scaled down");
            default -> false;
        };
    }
}
