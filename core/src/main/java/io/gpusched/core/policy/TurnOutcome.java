package io.gpusched.core.policy;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Placement;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The outcome of one job's turn in a cycle, with the explanation.
public sealed interface TurnOutcome {
    record Placed(Placement on, List<ScoreTerm> terms) implements TurnOutcome {
        public Placed {
            terms = List.copyOf(terms);
        }
    }

    /// Other jobs are being preempted; the job gets their capacity when they have ended.
    record Preempts(List<JobId> victims, Placement on) implements TurnOutcome {
        public Preempts {
            victims = List.copyOf(victims);
        }
    }

    /// @param reserved when the job's reservation begins; null when it has none
    record Waits(List<RefusalCount> because, @Nullable Instant reserved) implements TurnOutcome {
        public Waits {
            because = List.copyOf(because);
        }
    }
}
