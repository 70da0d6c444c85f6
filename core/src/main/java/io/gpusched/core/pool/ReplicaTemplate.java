package io.gpusched.core.pool;

import io.gpusched.core.model.JobSpec;

/// What replicas of a pool are made of. A replica of another template than the pool's present one
/// is replaced by a rolling update.
///
/// The job's name, priority, labels and grace period are no part of it: they reach replicas that
/// start later.
///
/// @param number differs between the templates that a pool's replicas have
/// @param port number n listens on port + n
public record ReplicaTemplate(int number, JobSpec replica, String model, int port) {
    public static ReplicaTemplate of(int number, Pool pool) {
        return new ReplicaTemplate(number, pool.replica(), pool.model(), pool.serving().port());
    }

    /// Whether the pool makes the same replicas.
    public boolean isOf(Pool pool) {
        return replica.roles().equals(pool.replica().roles())
                && replica.near().equals(pool.replica().near())
                && replica.payload().equals(pool.replica().payload())
                && model.equals(pool.model())
                && port == pool.serving().port();
    }
}
