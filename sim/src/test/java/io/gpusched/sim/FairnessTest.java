package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.core.state.ClusterState;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.ClusterDelays;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.scenario.SeededRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The shares that tenants get under policy `fair`, over many hours of a full cluster.
final class FairnessTest {
    private static final int NODES = 4;
    private static final Duration GRACE = Duration.ofSeconds(90);
    private static final Duration FROM = Duration.ofHours(12);
    private static final Duration UNTIL = Duration.ofHours(36);

    private static final List<Integer> MIXED = List.of(1, 1, 1, 2, 4);
    private static final List<Integer> SINGLE = List.of(1);

    private static final List<Tenant> FLAT =
            List.of(tenant("a", "", 1, 0), tenant("b", "", 2, 0), tenant("c", "", 5, 0));

    private static final List<Tenant> TREE =
            List.of(
                    tenant("left", "", 1, 0),
                    tenant("right", "", 1, 0),
                    tenant("l1", "left", 1, 0),
                    tenant("l2", "left", 3, 0));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void underConstantDemandSharesFollowTheWeights(boolean dynamic) {
        for (long seed = 1; seed <= 2; seed++) {
            Map<String, Double> parts = parts(FLAT, MIXED, seed, dynamic);
            assertNear(parts, Map.of("a", 1 / 8.0, "b", 2 / 8.0, "c", 5 / 8.0), seed);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachLevelSharesByItsOwnWeights(boolean dynamic) {
        for (long seed = 1; seed <= 2; seed++) {
            Map<String, Double> parts = parts(TREE, MIXED, seed, dynamic);
            assertNear(parts, Map.of("l1", 1 / 8.0, "l2", 3 / 8.0, "right", 1 / 2.0), seed);
        }
    }

    /// With jobs that are small compared with the shares, the bound is 2 % of each tenant's share.
    @Test
    void withSmallJobsEveryTenantGetsItsShare() {
        assertAlmost(
                parts(FLAT, SINGLE, 1, false), Map.of("a", 1 / 8.0, "b", 2 / 8.0, "c", 5 / 8.0));
        assertAlmost(
                parts(TREE, SINGLE, 1, false),
                Map.of("l1", 1 / 8.0, "l2", 3 / 8.0, "right", 1 / 2.0));
    }

    private static void assertAlmost(Map<String, Double> parts, Map<String, Double> due) {
        due.forEach(
                (tenant, part) ->
                        assertThat(parts.getOrDefault(tenant, 0.0) / part)
                                .as("part of %s for what it is due, of %s", tenant, parts)
                                .isBetween(0.98, 1.02));
    }

    private static void assertNear(Map<String, Double> parts, Map<String, Double> due, long seed) {
        due.forEach(
                (tenant, part) ->
                        assertThat(parts.getOrDefault(tenant, 0.0))
                                .as("part of %s with seed %s, of %s", tenant, seed, parts)
                                .isBetween(part - 0.02, part + 0.02));
    }

    /// Each tenant's fraction of all GPU time between [#FROM] and [#UNTIL], while every tenant
    /// always has waiting jobs.
    private static Map<String, Double> parts(
            List<Tenant> tenants, List<Integer> sizes, long seed, boolean dynamic) {
        var seededRandom = SeededRandom.of(seed, "fairness", 0);
        var jobs = new ArrayList<Arrival>();
        for (String tenant : leaves(tenants)) {
            for (int i = 0; i < 2500; i++) {
                int gpus = seededRandom.pick(sizes);
                Duration runs = Duration.ofSeconds(seededRandom.between(300, 3600));
                jobs.add(job(tenant, tenant + i, gpus, Duration.ZERO, runs));
            }
        }
        var fairShareSettings = new FairShareSettings(Duration.ofHours(6), dynamic);
        Scenario scenario = scenario(tenants, jobs, UNTIL, fairShareSettings);
        var time = new GpuTime(scenario.start().plus(FROM), scenario.start().plus(UNTIL));
        Simulation simulation = simulation(scenario, seed, List.of(time));
        while (simulation.step()) {}
        assertThat(simulation.cell().engine().state().waitingJobs())
                .as("jobs still waiting at the end")
                .isPositive();
        return time.parts();
    }

    private static List<String> leaves(List<Tenant> tenants) {
        var leaves = new ArrayList<>(tenants.stream().map(each -> each.id().name()).toList());
        for (Tenant tenant : tenants) {
            if (tenant.parent() != null) {
                leaves.remove(tenant.parent().name());
            }
        }
        return leaves;
    }

    static Simulation simulation(Scenario scenario, long seed, List<Listener> listeners) {
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        var simulation =
                new Simulation(
                        scenario,
                        scenarioPolicy.toPolicy(),
                        scenarioPolicy.toSettings(),
                        seed,
                        listeners);
        simulation.start();
        return simulation;
    }

    /// Adds up the GPU time of tenants between two moments.
    private static final class GpuTime implements Listener {
        private record Run(JobSpec spec, Instant since) {}

        private final Instant from;
        private final Instant to;
        private final Map<JobId, JobSpec> specs = new HashMap<>();
        private final Map<JobId, Run> runs = new HashMap<>();
        private final Map<String, Double> used = new HashMap<>();

        GpuTime(Instant from, Instant to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public void concluded(Batch batch, CycleResult cycleResult) {
            batch.facts().forEach(this::note);
            batch.decided().forEach(this::note);
        }

        private void note(Event event) {
            switch (event) {
                case Event.JobSubmitted e -> specs.put(e.job(), e.spec());
                case Event.AttemptPlaced e -> {
                    JobId job = e.attempt().job();
                    runs.put(job, new Run(Objects.requireNonNull(specs.get(job)), e.at()));
                }
                case Event.JobEnded e -> ended(e.job(), e.at());
                case Event.JobRequeued e -> ended(e.job(), e.at());
                default -> {}
            }
        }

        private void ended(JobId job, Instant at) {
            Run run = runs.remove(job);
            if (run != null) {
                Instant begin = run.since().isBefore(from) ? from : run.since();
                Instant end = at.isAfter(to) ? to : at;
                double seconds = Math.max(0, Duration.between(begin, end).toSeconds());
                used.merge(
                        run.spec().tenant().name(), seconds * run.spec().milliGpus(), Double::sum);
            }
        }

        Map<String, Double> parts() {
            List.copyOf(runs.keySet()).forEach(job -> ended(job, to));
            double sum = used.values().stream().mapToDouble(Double::doubleValue).sum();
            used.replaceAll((tenant, seconds) -> seconds / sum);
            return used;
        }
    }

    /// Demand changes in waves; after a wave begins, a tenant gets borrowed GPUs back.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nobodyStaysBelowItsGuaranteeWhileAnotherBorrows(long seed) {
        var seededRandom = SeededRandom.of(seed, "guarantees", 0);
        List<Tenant> tenants =
                List.of(
                        tenant("a", "", 1, 12),
                        tenant("b", "", 1, 8),
                        tenant("b1", "b", 1, 4),
                        tenant("b2", "b", 1, 0),
                        tenant("c", "", 4, 0));
        var jobs = new ArrayList<Arrival>();
        List<String> busy = List.of("a", "b1", "b2", "c");
        for (int i = 0; i < 600; i++) {
            Duration wave = Duration.ofMinutes(30L * seededRandom.below(12));
            Duration at = wave.plusSeconds(seededRandom.between(0, 120));
            Duration runs = Duration.ofSeconds(seededRandom.between(60, 2400));
            jobs.add(job(seededRandom.pick(busy), "j" + i, 1, at, runs));
        }
        var fairShareSettings = new FairShareSettings(Duration.ofHours(6), false);
        Scenario scenario = scenario(tenants, jobs, Duration.ofHours(24), fairShareSettings);
        Simulation simulation = simulation(scenario, seed, List.of());
        var wrongSince = new HashMap<String, Instant>();
        int wrongs = 0;
        while (simulation.step()) {
            ClusterState state = simulation.cell().engine().state();
            for (String tenant : busy) {
                wrongs += check(tenant, state, wrongSince) ? 1 : 0;
            }
        }
        assertThat(wrongs).as("times that something had to be taken back").isPositive();
    }

    /// Whether the tenant is below its guarantee right now; never for long.
    static boolean check(String name, ClusterState state, Map<String, Instant> wrongSince) {
        if (!isWronged(new TenantId(name), state)) {
            wrongSince.remove(name);
            return false;
        }
        Instant since = wrongSince.computeIfAbsent(name, id -> state.lastAt());
        assertThat(Duration.between(since, state.lastAt()))
                .as("%s is below its guarantee while others borrow", name)
                .isLessThan(GRACE);
        return true;
    }

    /// Whether the tenant has waiting jobs and is below a guarantee, while a sibling holds more
    /// than its own guarantee.
    private static boolean isWronged(TenantId id, ClusterState state) {
        if (!waits(id, state)) {
            return false;
        }
        for (Tenant tenant = state.tenants().find(id); tenant != null; ) {
            TenantId parent = tenant.parent();
            if (lacks(tenant, state)) {
                for (Tenant other : state.tenants().all()) {
                    boolean beside =
                            Objects.equals(other.parent(), parent)
                                    && !other.id().equals(tenant.id());
                    if (beside && borrows(other, state)) {
                        return true;
                    }
                }
            }
            tenant = parent == null ? null : state.tenants().find(parent);
        }
        return false;
    }

    private static boolean lacks(Tenant tenant, ClusterState state) {
        return state.tenants().usage(tenant.id()).milliGpus() + 1000
                <= tenant.guaranteed().milliGpus();
    }

    private static boolean borrows(Tenant tenant, ClusterState state) {
        return state.tenants().usage(tenant.id()).milliGpus()
                >= tenant.guaranteed().milliGpus() + 1000;
    }

    private static boolean waits(TenantId id, ClusterState state) {
        for (long number = state.jobs().first(); number <= state.jobs().last(); number++) {
            Job job = state.jobs().job(number);
            if (job != null && job.phase() instanceof Phase.Waiting && job.tenant().equals(id)) {
                return true;
            }
        }
        return false;
    }

    static Tenant tenant(String id, String parent, double weight, int guaranteed) {
        return new Tenant(
                new TenantId(id),
                parent.isEmpty() ? null : new TenantId(parent),
                new Limits(guaranteed * 1000L, 0, 0, 0, 0),
                Limits.NONE,
                weight,
                PreemptionRules.DEFAULT,
                true,
                Labels.NONE);
    }

    static Arrival job(String tenant, String name, int gpus, Duration at, Duration runs) {
        var shape =
                new Shape(
                        GpuRequest.whole(gpus, 0),
                        Resources.NONE,
                        List.of(),
                        Labels.NONE,
                        List.of());
        var spec =
                JobSpec.builder(new TenantId(tenant), List.of(Role.of(shape, 1)))
                        .name(name)
                        .priority(100)
                        .kind("kind")
                        .limit(Duration.ofHours(2))
                        .onLoss(new Interruption(Duration.ofSeconds(10), false, true))
                        .build();
        return new Arrival(at, spec, false, new HiddenTruth(runs, 0, Duration.ofSeconds(5)));
    }

    static Scenario scenario(
            List<Tenant> tenants,
            List<Arrival> jobs,
            Duration until,
            FairShareSettings fairShareSettings) {
        ScenarioPolicy usual = ScenarioPolicy.DEFAULT;
        var nodes = new ArrayList<Node>();
        for (int i = 1; i <= NODES; i++) {
            nodes.add(node("n" + i));
        }
        return new Scenario(
                "fairness",
                "",
                Scenario.DEFAULT_START,
                until,
                usual.withPolicy("fair").withFairShare(fairShareSettings),
                ClusterDelays.DEFAULT,
                nodes,
                tenants,
                jobs,
                List.of(),
                List.of(),
                List.of());
    }

    private static Node node(String name) {
        GpuModel model = GpuModel.parse("A100-80GB");
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < 8; i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), name + "-" + i));
        }
        return new Node(
                new NodeId(name),
                new AgentId(name),
                name,
                gpus,
                Topology.FLAT,
                Resources.cores(64, 65_536),
                List.of(),
                Labels.NONE);
    }
}
