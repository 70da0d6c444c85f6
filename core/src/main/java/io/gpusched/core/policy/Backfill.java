package io.gpusched.core.policy;

/// Whether jobs may overtake a job that cannot start.
public enum Backfill {
    /// No job overtakes.
    STRICT,
    /// Every job may overtake; nothing is reserved.
    SKIP,
    /// The first job that cannot start gets a reservation, and others may overtake if they do not
    /// delay it.
    RESERVE,
    /// Every job near the front that cannot start gets a reservation, and others may overtake if
    /// they delay none of the jobs before them.
    CONSERVATIVE
}
