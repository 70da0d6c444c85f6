package io.gpusched.sim;

import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Toleration;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.ClusterDelays;
import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioCarbon;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.scenario.UserAction;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A small, crowded cluster with everything going on at once, drawn from a seed. The script is a
/// list of entries by time, so that a failing one can be cut short.
final class RandomScenario {
    /// How rough it gets.
    enum Mood {
        /// Nothing goes wrong; jobs only compete.
        CALM,
        /// Nodes die, networks break, people interfere.
        STORMY,
        /// All that, and the scheduler itself starts again now and then.
        WILD
    }

    /// One thing that will happen.
    sealed interface Entry {
        Duration at();

        record Job(Arrival arrival) implements Entry {
            @Override
            public Duration at() {
                return arrival.at();
            }

            @Override
            public String toString() {
                JobSpec spec = arrival.spec();
                Shape shape = spec.roles().getFirst().shape();
                return "%s at %s: %s%s, %d × %s GPUs %s%s%s%s%s%s, priority %d, limit %s, %s, %s"
                        .formatted(
                                spec.name(),
                                at(),
                                spec.tenant(),
                                arrival.held() ? " held" : "",
                                spec.tasks(),
                                shape.gpus().devices(),
                                shape.host(),
                                shape.models(),
                                shape.nodes(),
                                shape.gpus().memoryMiBEach() > 0 ? " large" : "",
                                shape.tolerates().isEmpty() ? "" : " tolerant",
                                spec.near().isEmpty() ? "" : " " + spec.near(),
                                spec.priority(),
                                spec.limit(),
                                spec.onLoss(),
                                arrival.hiddenTruth());
            }
        }

        record Trouble(Fault fault) implements Entry {
            @Override
            public Duration at() {
                return fault.at();
            }
        }

        record Deed(UserAction userAction) implements Entry {
            @Override
            public Duration at() {
                return userAction.at();
            }
        }
    }

    private static final List<String> MODELS = List.of("A100-80GB", "A100-40GB", "H100-80GB");
    private static final int MINUTES = 90;

    private final SeededRandom seededRandom;
    private final SeededRandom places;
    private final SeededRandom pauses;
    private final SeededRandom promises;
    private final RandomPower power;
    private final long seed;
    private final Mood mood;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Tenant> tenants = new ArrayList<>();

    private RandomScenario(long seed, Mood mood) {
        this.seed = seed;
        this.mood = mood;
        this.seededRandom = SeededRandom.of(seed, "random-scenario", 0);
        this.places = SeededRandom.of(seed, "places", 0);
        this.pauses = SeededRandom.of(seed, "pauses", 0);
        this.power = new RandomPower(seed);
        this.promises = SeededRandom.of(seed, "promises", 0);
    }

    /// The cluster alone.
    static Scenario cluster(long seed, Mood mood) {
        return new RandomScenario(seed, mood).drawCluster();
    }

    /// What happens on that cluster.
    static List<Entry> script(long seed, Mood mood, int jobs) {
        var random = new RandomScenario(seed, mood);
        random.drawCluster();
        return random.drawScript(jobs);
    }

    static Scenario with(Scenario cluster, List<Entry> script) {
        var jobs = new ArrayList<Arrival>();
        var faults = new ArrayList<Fault>();
        var actions = new ArrayList<UserAction>();
        for (Entry entry : script) {
            switch (entry) {
                case Entry.Job it -> jobs.add(it.arrival());
                case Entry.Trouble it -> faults.add(it.fault());
                case Entry.Deed it -> actions.add(it.userAction());
            }
        }
        return cluster.withScript(jobs, faults, actions);
    }

    private Scenario drawCluster() {
        int count = seededRandom.between(1, 5);
        for (int i = 1; i <= count; i++) {
            nodes.add(node("n" + i));
        }
        int owners = seededRandom.between(1, 4);
        for (int i = 1; i <= owners; i++) {
            tenants.add(tenant(i));
        }
        var scenarioPolicy =
                new ScenarioPolicy(
                        policy(),
                        seededRandom.pick(List.of(0.0, 1.0, 10.0)),
                        seededRandom.chance(0.8),
                        seededRandom.chance(0.7),
                        Duration.ofMinutes(seededRandom.between(20, 120)),
                        Duration.ofMinutes(pauses.pick(List.of(0, 5, 30))),
                        PlacementSettings.DEFAULT
                                .withPlacer(seededRandom.pick(PlacementStrategies.NAMES))
                                .placingTogether(pauses.chance(0.5)),
                        FairShareSettings.DEFAULT,
                        new IdleRules(
                                5,
                                Duration.ofMinutes(pauses.between(1, 5)),
                                pauses.chance(0.6),
                                Duration.ofMinutes(pauses.between(0, 3))),
                        pauses.chance(0.3) ? PredictionSettings.USED : PredictionSettings.AS_NEEDED,
                        ScenarioPolicy.DEFAULT.learned(),
                        ScenarioCarbon.NONE);
        var clusterDelays =
                new ClusterDelays(
                        Duration.ofMillis(seededRandom.pick(List.of(0, 0, 50, 2000))),
                        Duration.ofSeconds(seededRandom.between(0, 5)),
                        Duration.ofSeconds(seededRandom.between(0, 3)),
                        Duration.ofSeconds(seededRandom.between(1, 10)),
                        Duration.ofSeconds(20),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(3));
        return new Scenario(
                "random-" + seed,
                "drawn from seed " + seed,
                Scenario.DEFAULT_START,
                Duration.ofDays(5),
                scenarioPolicy,
                clusterDelays,
                nodes,
                tenants,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /// Any policy; conservative backfill a little more often.
    private String policy() {
        String other = seededRandom.pick(named(false));
        return promises.chance(0.25) ? promises.pick(named(true)) : other;
    }

    private static List<String> named(boolean conservative) {
        return Policies.NAMES.stream()
                .filter(name -> name.endsWith("-conservative") == conservative)
                .toList();
    }

    private Node node(String name) {
        int count = seededRandom.pick(List.of(1, 2, 4, 4, 8, 0));
        GpuModel model = GpuModel.parse(seededRandom.pick(MODELS));
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < count; i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), name + "-" + i));
        }
        List<Taint> taints =
                seededRandom.chance(0.15)
                        ? List.of(new Taint("only", "some", "NoSchedule"))
                        : List.of();
        String agent = seededRandom.chance(0.2) ? "shared" : name;
        return new Node(
                new NodeId(name),
                new AgentId(agent),
                name,
                gpus,
                seededRandom.chance(0.5) ? KnownTopologies.usual(gpus) : Topology.FLAT,
                Resources.cores(seededRandom.between(4, 32), 65_536),
                taints,
                power.region(
                        cache(
                                rack(
                                        mig(
                                                seededRandom.chance(0.5)
                                                        ? Labels.of("zone", "east")
                                                        : Labels.NONE)))));
    }

    private Labels mig(Labels labels) {
        return seededRandom.chance(0.4)
                ? labels.with(
                        MigConfig.LABEL,
                        seededRandom.pick(List.of("mixed", "mixed", "all-balanced", "all-1g.10gb")))
                : labels;
    }

    /// Mostly whole GPUs; shares and slices often enough to meet each other.
    private GpuRequest request(int each) {
        int memory = seededRandom.chance(0.1) ? 60_000 : 0;
        if (each == 0 || each > 4 || seededRandom.chance(0.5)) {
            return GpuRequest.whole(each, memory);
        }
        return switch (seededRandom.below(4)) {
            case 0 -> GpuRequest.shares(seededRandom.between(50, 900), memory / 10, each);
            case 1 ->
                    GpuRequest.slices(
                            seededRandom.pick(
                                    List.of("1g.10gb", "2g.20gb", "3g.40gb", "1g.10gb+me")),
                            each);
            case 2 ->
                    new GpuRequest.Whole(
                            each, memory, seededRandom.pick(List.of(Locality.values())), 0);
            default ->
                    new GpuRequest.Whole(each, memory, Locality.ANY, seededRandom.between(30, 600));
        };
    }

    /// Two of three nodes have a model cache, with room for two models or for any number.
    private Labels cache(Labels labels) {
        int kind = nodes.size() % 3;
        return kind == 2 ? labels : labels.with(ModelSpec.CACHE_LABEL, kind == 0 ? "40" : "0");
    }

    /// Most nodes tell a rack, the first always.
    private Labels rack(Labels labels) {
        return nodes.isEmpty() || places.chance(0.9)
                ? labels.with("rack", places.chance(0.5) ? "r1" : "r2")
                : labels;
    }

    private List<Proximity> near(int tasks) {
        if (tasks == 1 || places.chance(0.5)) {
            return List.of();
        }
        String level = places.pick(List.of("rack", "rack", "rack", "node"));
        return List.of(new Proximity(level, places.chance(0.6)));
    }

    private Tenant tenant(int number) {
        long unlimited = Limits.UNLIMITED;
        var limit =
                new Limits(
                        seededRandom.chance(0.5) ? seededRandom.between(2, 12) * 1000L : unlimited,
                        seededRandom.chance(0.1) ? 200_000 : unlimited,
                        seededRandom.chance(0.2) ? seededRandom.between(4, 40) * 1000L : unlimited,
                        seededRandom.chance(0.1) ? 100_000 : unlimited,
                        seededRandom.chance(0.3) ? seededRandom.between(1, 5) : unlimited);
        var rules =
                new PreemptionRules(
                        seededRandom.chance(0.6),
                        seededRandom.chance(0.8),
                        seededRandom.chance(0.3) ? 2 : 0);
        boolean child = number > 1 && seededRandom.chance(0.3);
        return new Tenant(
                new TenantId("t" + number),
                child ? new TenantId("t1") : null,
                guaranteed(child ? Math.min(limit.milliGpus(), 500) : limit.milliGpus()),
                limit,
                seededRandom.pick(List.of(1.0, 1.0, 2.0, 0.5)),
                rules,
                true,
                Labels.NONE);
    }

    /// Little enough to fit below any limit of a parent, and its own.
    private Limits guaranteed(long most) {
        return seededRandom.chance(0.4)
                ? new Limits(Math.min(most, seededRandom.between(1, 6) * 1000L), 0, 0, 0, 0)
                : Limits.ZERO;
    }

    private List<Entry> drawScript(int jobs) {
        var script = new ArrayList<Entry>();
        for (int i = 1; i <= jobs; i++) {
            script.add(new Entry.Job(job("j" + i)));
        }
        if (mood != Mood.CALM) {
            for (int i = 0; i < jobs / 4; i++) {
                script.add(new Entry.Trouble(trouble()));
            }
            for (int i = 0; i < jobs / 3; i++) {
                script.add(new Entry.Deed(deed(script, jobs)));
            }
        }
        if (mood == Mood.WILD) {
            script.add(new Entry.Trouble(new Fault.SchedulerRestarted(moment())));
            script.add(new Entry.Trouble(new Fault.SchedulerRestarted(moment())));
        }
        script.addAll(power.script());
        script.sort(Comparator.comparing(Entry::at));
        return script;
    }

    private Arrival job(String name) {
        int tasks = seededRandom.pick(List.of(1, 1, 1, 1, 2, 3));
        int each = seededRandom.pick(List.of(0, 1, 1, 1, 2, 2, 4, 8));
        List<GpuModel> models =
                seededRandom.chance(0.15)
                        ? List.of(GpuModel.parse(seededRandom.pick(MODELS)))
                        : List.of();
        var shape =
                new Shape(
                        request(each),
                        Resources.cores(
                                seededRandom.between(0, 4), seededRandom.pick(List.of(0, 0, 4096))),
                        models,
                        seededRandom.chance(0.1) ? Labels.of("zone", "east") : Labels.NONE,
                        seededRandom.chance(0.3)
                                ? List.of(new Toleration("only", true, "", ""))
                                : List.of());
        boolean limited = seededRandom.chance(0.7);
        Duration runs = seconds(20, 1500);
        Duration limit =
                limited
                        ? runs.multipliedBy(seededRandom.between(1, 3)).plusSeconds(5)
                        : Duration.ZERO;
        var spec =
                JobSpec.builder(seededRandom.pick(tenants).id(), List.of(Role.of(shape, tasks)))
                        .name(name)
                        .priority(seededRandom.pick(List.of(0, 0, 10, 50, 100, 500)))
                        .kind("kind")
                        .near(near(tasks))
                        .limit(seededRandom.chance(0.1) && limited ? runs.dividedBy(2) : limit)
                        .onLoss(
                                new Interruption(
                                        seconds(0, 40),
                                        seededRandom.chance(0.3),
                                        seededRandom.chance(0.9)))
                        .labels(
                                pauses.chance(0.2)
                                        ? Labels.of(IdleRules.LABEL, IdleRules.KEEP)
                                        : Labels.NONE)
                        .carbon(power.preference())
                        .runtimeExpectation(
                                pauses.chance(0.5) ? RuntimeExpectation.NOTHING : expected(runs))
                        .build();
        var hiddenTruth =
                new HiddenTruth(runs, seededRandom.chance(0.15) ? 1 : 0, seconds(0, 50), pause());
        return new Arrival(
                moment(), spec, mood != Mood.CALM && seededRandom.chance(0.05), hiddenTruth);
    }

    /// A guess that is sometimes good.
    private RuntimeExpectation expected(Duration runs) {
        double usual = runs.toSeconds() * (0.3 + 1.5 * pauses.unit());
        return RuntimeExpectation.seconds(usual, usual * (1 + pauses.unit()));
    }

    private HiddenTruth.Pause pause() {
        return pauses.chance(0.3)
                ? new HiddenTruth.Pause(
                        Duration.ofSeconds(pauses.between(0, 600)),
                        Duration.ofSeconds(pauses.between(30, 1200)))
                : HiddenTruth.Pause.NONE;
    }

    private Fault trouble() {
        Node node = seededRandom.pick(nodes);
        Duration at = moment();
        return switch (seededRandom.below(11)) {
            case 0, 1 ->
                    new Fault.NodeLost(
                            at,
                            node.id(),
                            seededRandom.chance(0.85) ? seconds(5, 400) : null,
                            seededRandom.chance(0.5));
            case 2 -> new Fault.AgentRestarted(at, node.id());
            case 3 -> new Fault.SlowStart(at, node.id(), seconds(1, 400), seconds(60, 1200));
            case 4 -> new Fault.StartsRefused(at, node.id(), seconds(5, 300));
            case 5, 6 ->
                    new Fault.BadNetwork(
                            at,
                            0.2 * seededRandom.unit(),
                            0.4 * seededRandom.unit(),
                            seconds(60, 1800));
            case 8 ->
                    new Fault.GpusGone(
                            at, node.id(), seededRandom.between(0, 8), seconds(30, 1200));
            case 9 -> new Fault.ForeignUse(at, node.id(), someGpus(node), seconds(30, 1200));
            case 7 -> new Fault.GpusHot(at, node.id(), someGpus(node), seconds(30, 1200));
            default -> new Fault.GpusUnfit(at, node.id(), someGpus(node), seconds(30, 1200));
        };
    }

    private long someGpus(Node node) {
        return seededRandom.next() & node.allGpus();
    }

    private UserAction deed(List<Entry> script, int jobs) {
        Arrival arrival = ((Entry.Job) script.get(seededRandom.below(jobs))).arrival();
        String job = arrival.spec().name();
        Duration at = arrival.at().plus(seconds(1, 1200));
        NodeId node = seededRandom.pick(nodes).id();
        return switch (seededRandom.below(10)) {
            case 8 -> new UserAction.SetPolicy(at, policy());
            case 0, 1 -> new UserAction.Cancel(at, job);
            case 2 -> new UserAction.Hold(at, job);
            case 3 -> new UserAction.Release(at, job);
            case 4 -> new UserAction.Reprioritise(at, job, seededRandom.between(-10, 600));
            case 5 -> new UserAction.Cordon(at, node);
            case 6 -> new UserAction.Drain(at, node, seededRandom.chance(0.7));
            case 7 -> new UserAction.Uncordon(at, node);
            default -> new UserAction.ChangeTenant(at, changed(seededRandom.pick(tenants)));
        };
    }

    private Tenant changed(Tenant tenant) {
        Tenant other = tenant(1);
        return new Tenant(
                tenant.id(),
                seededRandom.chance(0.3) ? parent(tenant) : tenant.parent(),
                other.guaranteed(),
                other.limit(),
                other.weight(),
                other.rules(),
                true,
                Labels.NONE);
    }

    private @Nullable TenantId parent(Tenant tenant) {
        TenantId other = seededRandom.pick(tenants).id();
        return other.equals(tenant.id()) || seededRandom.chance(0.3) ? null : other;
    }

    private Duration moment() {
        return Duration.ofSeconds(seededRandom.between(0, MINUTES * 60));
    }

    private Duration seconds(int least, int most) {
        return Duration.ofSeconds(seededRandom.between(least, most));
    }
}
