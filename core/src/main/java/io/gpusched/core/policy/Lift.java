package io.gpusched.core.policy;

import io.gpusched.core.model.TenantId;

import java.time.Instant;

/// What would make a refusal worth a second look. A waiting job is not tried again until one of its
/// lifts has happened.
public sealed interface Lift {
    /// Capacity appeared somewhere that suits the job.
    record Capacity() implements Lift {}

    /// The tenant used less, or was allowed more.
    record OfTenant(TenantId tenant) implements Lift {}

    /// A time came.
    record At(Instant when) implements Lift {}

    /// Nodes joined, left or were described anew.
    record Fleet() implements Lift {}

    /// What has to happen, for people.
    default String words() {
        return switch (this) {
            case Capacity capacity -> "capacity is freed";
            case OfTenant of -> "tenant " + of.tenant + " uses less, or gets more quota";
            case At at -> "it is " + at.when;
            case Fleet fleet -> "nodes join, change or are opened again";
        };
    }
}
