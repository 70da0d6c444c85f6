package io.gpusched.core.engine;

import io.gpusched.core.model.Instants;
import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What the engine decides at the beginning of a cycle because time has passed: where jobs with a
/// deadline run, and how large pools are.
public final class TimedDecisions {
    /// One for each price and pace that jobs of one time usually have, up to 15 MB each.
    private static final int MOST_TABLES = 8;

    private final PoolScaling poolScaling;
    private final DeadlineScheduling deadlineScheduling;
    private final DeadlineRule deadlineRule = new DeadlineRule(MOST_TABLES);

    TimedDecisions(ClusterState state, EngineSettings settings) {
        this.poolScaling = new PoolScaling(state, settings);
        this.deadlineScheduling = new DeadlineScheduling(state);
    }

    DeadlineRule deadlineRule() {
        return deadlineRule;
    }

    void run(Cycle cycle, Engine engine) {
        deadlineScheduling.run(cycle, engine);
        poolScaling.run(cycle, PoolSizing.of(engine, cycle.now()));
    }

    /// From now on pools keep their replicas, whatever their rules say.
    public void keepPools() {
        poolScaling.stop();
    }

    /// From now on jobs with a deadline keep their capacity.
    public void keepChoices() {
        deadlineScheduling.stop();
    }

    void concluded() {
        poolScaling.concluded();
        deadlineScheduling.concluded();
    }

    @Nullable Instant next() {
        return Instants.earlier(poolScaling.next(), deadlineScheduling.next());
    }
}
