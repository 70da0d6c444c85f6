package io.gpusched.lab.pools;

import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.scale.Limited;
import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.ScaleLimiter;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.sim.pools.ComparedLaw;
import io.gpusched.sim.replica.LoadReporter;
import io.gpusched.sim.replica.ReplicaWorld;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A pool scaled by a law and the limiter alone, without a scheduler around them: the check that a
/// run on the production core decides what the law says. Nothing lacks capacity here.
final class ThinRun {
    private final PoolTrace trace;
    private final int loadSeconds;
    private final Duration reports;
    private final ComparedLaw law;
    private final Pool pool;
    private final ReplicaWorld world;
    private final LoadHistory history = new LoadHistory();
    private final ScaleLimiter limiter = new ScaleLimiter();
    private long nextId = 1;
    private int desired;
    private int recommended;

    ThinRun(PoolTrace trace, int loadSeconds, ComparedLaw law, Duration reports) {
        this.trace = trace;
        this.loadSeconds = loadSeconds;
        this.law = law;
        this.reports = reports;
        this.pool = LabPool.pool(trace, loadSeconds, law);
        this.world = new ReplicaWorld(LabPool.COST, trace.requests());
    }

    PoolResult run() {
        desired = LabPool.initial(law);
        recommended = desired;
        for (int i = 0; i < desired; i++) {
            world.add(nextId++, 0);
        }
        var reporter = new LoadReporter(world, trace.slo());
        long every = pool.scaling().every().toSeconds();
        for (int second = 1; !world.isOver(); second++) {
            world.runTo(second);
            Instant now = LabPool.START.plusSeconds(second);
            if (second % reports.toSeconds() == 0) {
                history.add(now, reporter.report(List.of()));
            }
            if (second % every == 0) {
                decide(now, second);
            }
        }
        return PoolResult.of(trace, LabPool.around(trace, loadSeconds, reports, law), law, world);
    }

    private void decide(Instant now, int second) {
        int ready = world.ready();
        var signals =
                new PoolSignals(
                        now,
                        pool,
                        desired,
                        ready,
                        world.size() - ready,
                        0,
                        Duration.ofSeconds(loadSeconds),
                        pool.max() - world.size(),
                        history);
        int wanted = Math.clamp(law.scaler().recommend(signals).replicas(), pool.min(), pool.max());
        // As in the core, a recommendation holds until the next one.
        limiter.recommended(now.minus(PoolEntry.MOMENT), recommended);
        recommended = wanted;
        limiter.recommended(now, wanted);
        Limited limited = limiter.limit(now, pool, desired, wanted);
        limiter.changed(now, desired, limited.replicas());
        desired = limited.replicas();
        while (world.size() < desired) {
            world.add(nextId++, second + loadSeconds);
        }
        while (world.size() > desired) {
            ReplicaWorld.Member least = world.leastUseful();
            if (least == null) {
                return;
            }
            world.remove(least);
        }
    }
}
