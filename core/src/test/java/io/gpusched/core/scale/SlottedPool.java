package io.gpusched.core.scale;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;

/// Reports of a pool whose replicas have a few slots: each answers so many requests in a second,
/// and others wait. Iterations are always short, and an answer has ten tokens.
final class SlottedPool {
    private static final int PROMPT = 80;
    private static final int OUTPUT = 10;
    private static final int ITERATION_MICROS = 10_000;

    private final double perReplica;
    private double waiting;
    private double answers;
    private double arrivals;
    private long sequence;

    SlottedPool(double perReplica) {
        this.perReplica = perReplica;
    }

    /// A second with so many requests. They miss their objective if others wait before them for
    /// longer than half a second.
    PoolLoad second(double requests, int replicas) {
        double can = perReplica * replicas;
        boolean late = waiting > can / 2;
        double done = Math.min(waiting + requests, can);
        waiting += requests - done;
        answers += done;
        arrivals += requests;
        int answered = (int) answers;
        answers -= answered;
        int arrived = (int) arrivals;
        arrivals -= arrived;
        LoadBuilder load =
                LoadBuilder.aLoad(++sequence)
                        .arrivals(arrived, (long) arrived * PROMPT)
                        .output((long) answered * OUTPUT)
                        .answered(answered, late ? 0 : answered)
                        .firstToken(late ? 5_000 : 100);
        int each = (int) (waiting / replicas);
        int tokens = (int) (done * OUTPUT / replicas);
        for (int i = 1; i <= replicas; i++) {
            load.replica(
                    new ReplicaLoad(
                            new JobId(i),
                            true,
                            (int) Math.ceil(done / replicas),
                            each,
                            (long) each * PROMPT,
                            0,
                            late ? 5_000 : 100,
                            ITERATION_MICROS,
                            tokens * PROMPT / OUTPUT,
                            tokens));
        }
        return load.build();
    }

    double waiting() {
        return waiting;
    }
}
