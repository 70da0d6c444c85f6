package io.gpusched.core.scale;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;

import java.util.Random;

/// Reports of a pool under a steady load: what replicas of known speed would tell, each figure with
/// some noise.
final class SteadyPool {
    private static final double FIXED = 0.029;
    private static final double PER_REQUEST = 0.00038;
    private static final double PER_TOKEN = 0.000094;
    private static final double KV_PER_REQUEST = 2.5;
    private static final int PROMPT = 1_100;
    private static final int OUTPUT = 210;

    private final Random random;
    private double noise;
    private long sequence;

    SteadyPool(long seed) {
        this.random = new Random(seed);
    }

    /// Every figure differs by at most this fraction from now on.
    void noise(double fraction) {
        noise = fraction;
    }

    /// A second with so many requests, answered by so many replicas.
    PoolLoad second(double requests, int replicas) {
        double each = requests / replicas;
        double busy = Math.min(0.9, each * (OUTPUT * PER_REQUEST + PROMPT * PER_TOKEN));
        double iteration = FIXED / (1 - busy);
        double running = each * OUTPUT * iteration;
        LoadBuilder load =
                LoadBuilder.aLoad(++sequence)
                        .arrivals(whole(requests), whole(requests * PROMPT))
                        .output(whole(requests * OUTPUT))
                        .answered(1_000, 995)
                        .firstToken(whole(400));
        for (int i = 1; i <= replicas; i++) {
            load.replica(
                    new ReplicaLoad(
                            new JobId(i),
                            true,
                            whole(running),
                            0,
                            0,
                            whole(running * KV_PER_REQUEST),
                            whole(300),
                            whole(iteration * 1e6),
                            whole(each * PROMPT),
                            whole(each * OUTPUT)));
        }
        return load.build();
    }

    private int whole(double figure) {
        return (int) Math.round(figure * (1 + noise * (2 * random.nextDouble() - 1)));
    }
}
