package io.gpusched.sim.pools;

import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.scale.Scaler;
import io.gpusched.sim.replica.ServingRequest;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// Knows the requests of the future: enough replicas for the busiest ten seconds until a new one
/// would be ready and have served for as long. No real law can know this; it shows what is
/// possible.
final class OracleScaler implements Scaler {
    private static final int WINDOW = 10;

    private final double capacity;
    private final int[] perSecond;
    private final Instant start;

    /// @param capacity requests per second of one replica
    OracleScaler(double capacity, List<ServingRequest> requests, Instant start) {
        this.capacity = capacity;
        this.start = start;
        this.perSecond = new int[(int) requests.getLast().arrival() + 1];
        requests.forEach(each -> perSecond[(int) each.arrival()]++);
    }

    @Override
    public String name() {
        return String.format(Locale.ROOT, "oracle-%.1f", capacity);
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        int now = (int) Duration.between(start, signals.now()).toSeconds();
        int most = 0;
        for (int from = now; from <= now + signals.loadTime().toSeconds() + 20; from += 5) {
            int requests = 0;
            for (int i = from; i < Math.min(from + WINDOW, perSecond.length); i++) {
                requests += perSecond[i];
            }
            most = Math.max(most, requests);
        }
        int size = (int) Math.max(1, Math.ceil(most / (WINDOW * capacity)));
        return new Recommendation(size, "oracle", most + " requests in the busiest ten seconds");
    }
}
