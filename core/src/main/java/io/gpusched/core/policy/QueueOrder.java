package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// The order in which waiting jobs are tried. The smallest key goes first, then the smaller job
/// number.
public interface QueueOrder {
    /// The name used in configuration and reports.
    String name();

    /// A key that does not change while the job waits, whatever happens around it.
    long key(Job job);

    /// The same order at a given time, for orders in which jobs overtake each other while they
    /// wait. Its keys do not change; the engine requests the next one when time has passed. Two
    /// that would give the same keys are equal.
    default QueueOrder at(Instant now) {
        return this;
    }

    /// The waiting time that is worth one point of priority, zero where waiting is worth none; null
    /// where the queue is not ordered by priority. Then no job is preempted for a more important
    /// one either: the victim was allowed to go first a moment ago.
    default @Nullable Duration pointEvery() {
        return null;
    }

    /// Whether tenants take turns by their fair share, so that the key decides only between jobs of
    /// one tenant.
    default boolean byTenant() {
        return false;
    }

    /// Whether the reservation goes to the oldest job, and jobs start in order of submission as
    /// long as there is no reservation, so that the key decides only which jobs may overtake. Jobs
    /// that are equal in everything that placement depends on must then have the same key.
    default boolean reservesForOldest() {
        return false;
    }
}
