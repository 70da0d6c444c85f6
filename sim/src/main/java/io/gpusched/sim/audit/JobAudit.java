package io.gpusched.sim.audit;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Placement;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// The auditor's record of one job that has not ended.
final class JobAudit {
    enum Stage {
        HELD,
        WAITING,
        STARTING,
        RUNNING,
        STOPPING
    }

    final JobId id;
    final JobSpec spec;
    int priority;
    Stage stage;
    int attempts;
    int evictions;

    @Nullable AttemptId attempt;
    @Nullable Placement on;
    @Nullable Instant placed;

    /// When the last preemption on its behalf ended: the capacity was used or given up.
    @Nullable Instant roomEnded;

    JobAudit(JobId id, JobSpec spec, boolean held) {
        this.id = id;
        this.spec = spec;
        this.priority = spec.priority();
        this.stage = held ? Stage.HELD : Stage.WAITING;
    }

    boolean holdsCapacity() {
        return on != null;
    }

    /// Moves to the next phase if the present one is one of the allowed phases.
    void move(Stage to, Object event, Stage... from) {
        boolean legal = false;
        for (Stage one : from) {
            legal |= one == stage;
        }
        Violation.unless(legal, "%s comes while %s is %s", event, id, stage);
        stage = to;
    }

    void checkIsCurrent(AttemptId told, Object event) {
        Violation.unless(
                told.equals(attempt),
                "%s is about %s, but %s runs as %s",
                event,
                told,
                id,
                String.valueOf(attempt));
    }
}
