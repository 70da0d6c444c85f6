package io.gpusched.core.scale;

/// Keeps the fewest replicas that the pool allows, whatever the load.
final class StaticScaler implements Scaler {
    @Override
    public String name() {
        return "static";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        int min = signals.pool().min();
        return new Recommendation(min, "static", "min is " + min);
    }
}
