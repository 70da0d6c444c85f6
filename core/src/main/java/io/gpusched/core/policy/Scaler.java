package io.gpusched.core.policy;

import io.gpusched.core.model.Pool;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;

/// Decides how many replicas a pool should have.
public interface Scaler {
    int replicas(Pool pool, ClusterView cluster, Instant now);
}
