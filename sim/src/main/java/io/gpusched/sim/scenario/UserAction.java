package io.gpusched.sim.scenario;

import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Tenant;

import java.time.Duration;

/// Something a person does, at a time after the scenario's start. Jobs go by the names the scenario
/// gives them, because their numbers are not known before they are submitted.
public sealed interface UserAction {
    Duration at();

    record Cancel(Duration at, String job) implements UserAction {}

    record Hold(Duration at, String job) implements UserAction {}

    record Release(Duration at, String job) implements UserAction {}

    record Reprioritise(Duration at, String job, int priority) implements UserAction {}

    record Cordon(Duration at, NodeId node) implements UserAction {}

    record Uncordon(Duration at, NodeId node) implements UserAction {}

    record Drain(Duration at, NodeId node, boolean evict) implements UserAction {}

    /// Gives a tenant other limits or rules.
    record ChangeTenant(Duration at, Tenant tenant) implements UserAction {}

    /// Schedules by another policy from now on.
    record SetPolicy(Duration at, String policy) implements UserAction {}

    /// Tells what capacity costs from now on.
    record SetMarket(Duration at, Market market) implements UserAction {}
}
