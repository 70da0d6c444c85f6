package io.gpusched.sim.scenario;

import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Tenant;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A cluster, its tenants and jobs, and the faults and user actions: everything about a simulation
/// except the policy under test and the seed.
///
/// @param about a sentence for people
/// @param until the latest time after `start` that is simulated; null for long after the last
///        arrival
public record Scenario(
        String name,
        String about,
        Instant start,
        @Nullable Duration until,
        ScenarioPolicy scenarioPolicy,
        ClusterDelays clusterDelays,
        List<Node> nodes,
        List<Tenant> tenants,
        List<Arrival> jobs,
        List<GeneratedJobs> workloads,
        List<Fault> faults,
        List<UserAction> actions) {
    public static final Instant DEFAULT_START = Instant.parse("2026-01-05T00:00:00Z");
    private static final Duration LONG_AFTER = Duration.ofDays(60);

    public Scenario {
        nodes = List.copyOf(nodes);
        tenants = List.copyOf(tenants);
        jobs = List.copyOf(jobs);
        workloads = List.copyOf(workloads);
        faults = List.copyOf(faults);
        actions = List.copyOf(actions);
    }

    /// All jobs, listed and generated, by arrival time.
    public List<Arrival> arrivals(long seed) {
        var all = new ArrayList<>(jobs);
        for (int i = 0; i < workloads.size(); i++) {
            all.addAll(workloads.get(i).draw(seed, i));
        }
        all.sort(Comparator.comparing(Arrival::at));
        return all;
    }

    /// The latest end of the simulation, given its arrivals in order.
    public Instant horizon(List<Arrival> arrivals) {
        if (until != null) {
            return start.plus(until);
        }
        Duration last = arrivals.isEmpty() ? Duration.ZERO : arrivals.getLast().at();
        return start.plus(last).plus(LONG_AFTER);
    }

    public @Nullable Node node(NodeId id) {
        for (Node node : nodes) {
            if (node.id().equals(id)) {
                return node;
            }
        }
        return null;
    }

    /// Whether the seed matters: jobs are generated, or messages get lost.
    public boolean hasChance() {
        return !workloads.isEmpty()
                || faults.stream().anyMatch(fault -> fault instanceof Fault.BadNetwork);
    }

    public int gpus() {
        return nodes.stream().mapToInt(node -> node.gpus().size()).sum();
    }

    public Scenario withRules(ScenarioPolicy other) {
        return new Scenario(
                name,
                about,
                start,
                until,
                other,
                clusterDelays,
                nodes,
                tenants,
                jobs,
                workloads,
                faults,
                actions);
    }

    public Scenario withWorkloads(List<GeneratedJobs> others) {
        return new Scenario(
                name,
                about,
                start,
                until,
                scenarioPolicy,
                clusterDelays,
                nodes,
                tenants,
                jobs,
                others,
                faults,
                actions);
    }

    /// The same cluster with another script.
    public Scenario withScript(List<Arrival> jobs, List<Fault> faults, List<UserAction> actions) {
        return new Scenario(
                name,
                about,
                start,
                until,
                scenarioPolicy,
                clusterDelays,
                nodes,
                tenants,
                jobs,
                workloads,
                faults,
                actions);
    }
}
