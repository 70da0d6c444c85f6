package io.gpusched.core.model;

/// The job or operator for which a claim holds back capacity.
public sealed interface ClaimHolder {
    record OfJob(JobId job) implements ClaimHolder {}

    /// An operator: maintenance, a planned event.
    record OfOperator(String name) implements ClaimHolder {}
}
