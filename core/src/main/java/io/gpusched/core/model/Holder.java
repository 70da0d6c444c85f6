package io.gpusched.core.model;

/// For whom capacity is promised.
public sealed interface Holder {
    record OfJob(JobId job) implements Holder {}

    /// A person: maintenance, a planned event.
    record OfOperator(String name) implements Holder {}
}
