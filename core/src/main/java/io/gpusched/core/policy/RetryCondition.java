package io.gpusched.core.policy;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.TenantId;

import java.time.Instant;

/// A condition that makes a refused job worth trying again. The scheduler does not try a waiting
/// job again until one of its conditions is met.
public sealed interface RetryCondition {
    /// Capacity was freed on a node that suits the job.
    record Capacity() implements RetryCondition {}

    /// Hot GPUs have cooled, which frees their capacity.
    record Cooled() implements RetryCondition {}

    /// The tenant uses less, or may use more.
    record OfTenant(TenantId tenant) implements RetryCondition {}

    /// The agent took up earlier starts.
    record Started(AgentId agent) implements RetryCondition {}

    /// A time was reached.
    record At(Instant when) implements RetryCondition {}

    /// Nodes joined, left or were described anew.
    record Fleet() implements RetryCondition {}

    /// A cordoned or drained node was reopened.
    record Opened() implements RetryCondition {}

    /// A silent node's agent reported again.
    record Heard() implements RetryCondition {}

    /// An operator or user changed a setting or a description.
    ///
    /// @param what the change, as a phrase for people
    record Changed(String what) implements RetryCondition {}

    /// How much has to happen: 0 when time suffices, 1 when a node must be reopened or come back, 2
    /// when an operator must change something, 3 when it takes other nodes.
    default int distance() {
        return switch (this) {
            case Capacity capacity -> 0;
            case Cooled cooled -> 0;
            case OfTenant of -> 0;
            case Started started -> 0;
            case At at -> 0;
            case Opened opened -> 1;
            case Heard heard -> 1;
            case Changed changed -> 2;
            case Fleet fleet -> Refusal.FARTHEST;
        };
    }

    /// The condition as a phrase for people.
    default String words() {
        return switch (this) {
            case Capacity capacity -> "capacity is freed";
            case Cooled cooled -> "its GPUs have cooled, or others are freed";
            case OfTenant of -> "tenant " + of.tenant + " uses less, or gets more quota";
            case Started started -> "agent " + started.agent + " has started them";
            case At at -> "it is " + at.when;
            case Opened opened -> "the node is uncordoned";
            case Heard heard -> "the node's agent reports again";
            case Changed changed -> changed.what;
            case Fleet fleet -> "nodes join or change";
        };
    }
}
