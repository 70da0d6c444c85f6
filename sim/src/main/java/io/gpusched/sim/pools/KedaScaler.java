package io.gpusched.sim.pools;

import io.gpusched.core.pool.LoadNow;
import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.scale.Scaler;

import java.time.Duration;
import java.time.Instant;

/// KEDA with the number of waiting requests: one replica for every five, read every 30 s, applied
/// by the Kubernetes autoscaler.
final class KedaScaler implements Scaler {
    private static final int THRESHOLD = 5;
    private static final double TOLERANCE = 0.1;
    private static final Duration POLL = Duration.ofSeconds(30);

    private Instant polled = Instant.EPOCH;
    private int waiting;

    @Override
    public String name() {
        return "keda";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        if (!signals.now().isBefore(polled.plus(POLL))) {
            polled = signals.now();
            LoadNow now = signals.load().since(signals.now().minusSeconds(5));
            waiting = now.waiting() + now.held();
        }
        int current = Math.max(1, signals.desired());
        double ratio = (double) waiting / THRESHOLD / current;
        int size = Math.abs(ratio - 1) <= TOLERANCE ? current : Math.ceilDiv(waiting, THRESHOLD);
        return new Recommendation(Math.max(1, size), "keda", waiting + " requests wait");
    }
}
