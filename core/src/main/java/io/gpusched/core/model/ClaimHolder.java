package io.gpusched.core.model;

/// For whom capacity is promised.
public sealed interface ClaimHolder {
    record OfJob(JobId job) implements ClaimHolder {}

    /// A person: maintenance, a planned event.
    record OfOperator(String name) implements ClaimHolder {}
}
