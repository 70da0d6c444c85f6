package io.gpusched.core.scale;

/// Recommends how many replicas a pool should have. It is a function of the signals, so that a
/// replay recommends the same. Limits, stabilisation and schedules are applied after it.
public interface Scaler {
    /// The name by which a pool chooses it.
    String name();

    Recommendation recommend(PoolSignals signals);
}
