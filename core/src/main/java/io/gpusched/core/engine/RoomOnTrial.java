package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Room;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.Trial;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// Lets a preemptor try out who would have to leave, and finds the places the job gets then.
final class RoomOnTrial implements Room {
    /// Who leaves, and where the job goes.
    record Leaving(List<Job> victims, Placement placement) {
        Duration longestGrace() {
            Duration longest = Duration.ZERO;
            for (Job victim : victims) {
                Duration grace = victim.spec().onLoss().grace();
                longest = grace.compareTo(longest) > 0 ? grace : longest;
            }
            return longest;
        }
    }

    private final Job job;
    private final Trial trial;
    private final Placing placing;

    private RoomOnTrial(Job job, Trial trial, Placing placing) {
        this.job = job;
        this.trial = trial;
        this.placing = placing;
    }

    static @Nullable Leaving find(
            Job job, ClusterState state, Preemptor preemptor, Placing placing, Instant now) {
        try (Trial trial = state.trial()) {
            List<Job> victims =
                    preemptor.victims(job, state, new RoomOnTrial(job, trial, placing), now);
            if (victims.isEmpty()) {
                return null;
            }
            trial.undo(0);
            for (Job victim : victims) {
                trial.evict(run(victim));
            }
            Placing.Found found = placing.find(job);
            return found == null ? null : new Leaving(victims, found.placement());
        }
    }

    @Override
    public boolean couldUse(Job victim) {
        for (Slot slot : run(victim).on().slots()) {
            if (placing.couldUse(job, slot.node())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void evict(Job victim) {
        trial.evict(run(victim));
    }

    @Override
    public void restore(Job victim) {
        trial.restore(run(victim));
    }

    @Override
    public boolean fits() {
        return placing.find(job) != null;
    }

    private static Run run(Job job) {
        return Objects.requireNonNull(job.phase().run());
    }
}
