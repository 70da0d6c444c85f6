package io.gpusched.core.policy;

import io.gpusched.core.model.TenantId;

import java.time.Instant;

/// What would make a refusal worth a second look. A waiting job is not tried again until one of its
/// lifts has happened.
public sealed interface RetryCondition {
    /// Capacity appeared somewhere that suits the job.
    record Capacity() implements RetryCondition {}

    /// Hot GPUs have cooled, which makes capacity of them.
    record Cooled() implements RetryCondition {}

    /// The tenant used less, or was allowed more.
    record OfTenant(TenantId tenant) implements RetryCondition {}

    /// A time came.
    record At(Instant when) implements RetryCondition {}

    /// Nodes joined, left or were described anew.
    record Fleet() implements RetryCondition {}

    /// Somebody opened a closed node again.
    record Opened() implements RetryCondition {}

    /// A node that was silent was heard of again.
    record Heard() implements RetryCondition {}

    /// Somebody changed a setting or a description.
    ///
    /// @param what the change, as a phrase for people
    record Changed(String what) implements RetryCondition {}

    /// How much has to happen: 0 when time brings it, 1 when a node must be opened or come back, 2
    /// when somebody must change something, 3 when it takes other nodes.
    default int distance() {
        return switch (this) {
            case Capacity capacity -> 0;
            case Cooled cooled -> 0;
            case OfTenant of -> 0;
            case At at -> 0;
            case Opened opened -> 1;
            case Heard heard -> 1;
            case Changed changed -> 2;
            case Fleet fleet -> Refusal.FARTHEST;
        };
    }

    /// What has to happen, for people.
    default String words() {
        return switch (this) {
            case Capacity capacity -> "capacity is freed";
            case Cooled cooled -> "its GPUs have cooled, or others are freed";
            case OfTenant of -> "tenant " + of.tenant + " uses less, or gets more quota";
            case At at -> "it is " + at.when;
            case Opened opened -> "the node is opened again";
            case Heard heard -> "the node's agent is heard of again";
            case Changed changed -> changed.what;
            case Fleet fleet -> "nodes join or change";
        };
    }
}
