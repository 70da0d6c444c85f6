package io.gpusched.sim.replica;

import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.Slo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Reports what a gateway would report of a simulated pool.
public final class LoadReporter {
    private static final String SOURCE = "gateway";

    private final ReplicaWorld world;
    private final double firstToken;
    private final double interToken;
    private long sequence;
    private double last;

    /// @param slo tells which answers are within the SLO
    public LoadReporter(ReplicaWorld world, Slo slo) {
        this.world = world;
        this.firstToken = seconds(slo.firstTokenMillis());
        this.interToken = seconds(slo.interTokenMillis());
    }

    private static double seconds(int millis) {
        return millis == 0 ? Double.POSITIVE_INFINITY : millis / 1000.0;
    }

    /// What happened since the report before.
    ///
    /// @param drained replicas that have answered everything and still run
    public PoolLoad report(List<JobId> drained) {
        double over = world.now() - last;
        last = world.now();
        List<ServingRequest> arrived = world.takeArrived();
        List<ServingRequest> held = world.held();
        var replicas = new ArrayList<ReplicaLoad>();
        var waits = new ArrayList<Double>();
        long outputTokens = 0;
        int answered = 0;
        int within = 0;
        for (ReplicaWorld.Member member : world.members()) {
            ReplicaCounts counts = member.replica().counts();
            replicas.add(replica(member, counts));
            outputTokens += counts.outputTokens();
            answered += counts.answered().size();
            for (ServingRequest request : counts.answered()) {
                within += world.answers().isWithin(request, firstToken, interToken) ? 1 : 0;
            }
            waits.addAll(counts.waits());
            counts.clear();
        }
        drained.forEach(id -> replicas.add(idle(id)));
        return new PoolLoad(
                SOURCE,
                ++sequence,
                Duration.ofMillis(Math.round(over * 1000)),
                arrived.size(),
                0,
                arrived.stream().mapToLong(ServingRequest::prompt).sum(),
                outputTokens,
                held.size(),
                held.stream().mapToLong(ServingRequest::prompt).sum(),
                0,
                0,
                0,
                0,
                answered,
                within,
                p95Millis(waits),
                replicas);
    }

    private static ReplicaLoad idle(JobId id) {
        return new ReplicaLoad(id, false, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private ReplicaLoad replica(ReplicaWorld.Member member, ReplicaCounts counts) {
        SimulatedReplica replica = member.replica();
        return new ReplicaLoad(
                new JobId(member.id()),
                member.isReady(world.now()),
                replica.running(),
                replica.waiting(),
                replica.waitingTokens(),
                replica.kvPermille(),
                counts.firstTokenMillis(),
                counts.interTokenMicros(),
                counts.promptTokens(),
                counts.outputTokens());
    }

    private static int p95Millis(List<Double> waits) {
        Collections.sort(waits);
        return waits.isEmpty()
                ? 0
                : (int) Math.ceil(1000 * waits.get((int) (0.95 * (waits.size() - 1))));
    }
}
