package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Decides whose turn it is. The smallest key goes first, then the smaller job number.
public interface QueueOrder {
    /// The name used in configuration and reports.
    String name();

    /// A key that does not change while the job waits, whatever happens around it.
    long key(Job job);

    /// The same order as it is at a time, for orders in which jobs pass each other while they wait.
    /// Its keys do not change; the engine asks for the next one when time has gone on. Two that
    /// would give the same keys are equal.
    default QueueOrder at(Instant now) {
        return this;
    }

    /// The waiting time that is worth one point of priority, zero where waiting is worth none; null
    /// where the line does not go by priority. Then nobody is stopped for a more important job
    /// either: it could have gone first a moment ago.
    default @Nullable Duration pointEvery() {
        return null;
    }

    /// Whether tenants take turns by their fair share, so that the key decides only between jobs of
    /// one tenant.
    default boolean byTenant() {
        return false;
    }

    /// Whether the reservation goes to the job that came first, and jobs start in the order they
    /// came as long as there is none, so that the key decides only who may pass. Jobs alike in all
    /// that placement looks at must then have the same key.
    default boolean reservesForOldest() {
        return false;
    }
}
