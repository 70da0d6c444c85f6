package io.gpusched.core.policy;

/// How jobs may pass one that cannot start.
public enum Backfill {
    /// Nobody passes.
    STRICT,
    /// Everybody may pass; nothing is reserved.
    SKIP,
    /// The first that cannot start gets a reservation, and others may pass if they do not delay it.
    RESERVE,
    /// Everybody near the front who cannot start gets a reservation, and others may pass if they
    /// delay none of those before them.
    CONSERVATIVE
}
