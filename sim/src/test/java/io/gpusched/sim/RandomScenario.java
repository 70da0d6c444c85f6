package io.gpusched.sim;

import io.gpusched.core.engine.Placers;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.Predictions;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Expected;
import io.gpusched.core.model.FairShare;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Machines;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Near;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Toleration;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.sim.scenario.Action;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.CarbonRules;
import io.gpusched.sim.scenario.Dice;
import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.Rules;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.Timing;
import io.gpusched.sim.scenario.Truth;

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
                                arrival.truth());
            }
        }

        record Trouble(Fault fault) implements Entry {
            @Override
            public Duration at() {
                return fault.at();
            }
        }

        record Deed(Action action) implements Entry {
            @Override
            public Duration at() {
                return action.at();
            }
        }
    }

    private static final List<String> MODELS = List.of("A100-80GB", "A100-40GB", "H100-80GB");
    private static final int MINUTES = 90;

    private final Dice dice;
    private final Dice places;
    private final Dice pauses;
    private final Dice promises;
    private final long seed;
    private final Mood mood;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Tenant> tenants = new ArrayList<>();

    private RandomScenario(long seed, Mood mood) {
        this.seed = seed;
        this.mood = mood;
        this.dice = Dice.of(seed, "random-scenario", 0);
        this.places = Dice.of(seed, "places", 0);
        this.pauses = Dice.of(seed, "pauses", 0);
        this.promises = Dice.of(seed, "promises", 0);
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
        var actions = new ArrayList<Action>();
        for (Entry entry : script) {
            switch (entry) {
                case Entry.Job it -> jobs.add(it.arrival());
                case Entry.Trouble it -> faults.add(it.fault());
                case Entry.Deed it -> actions.add(it.action());
            }
        }
        return cluster.withScript(jobs, faults, actions);
    }

    private Scenario drawCluster() {
        int count = dice.between(1, 5);
        for (int i = 1; i <= count; i++) {
            nodes.add(node("n" + i));
        }
        int owners = dice.between(1, 4);
        for (int i = 1; i <= owners; i++) {
            tenants.add(tenant(i));
        }
        var rules =
                new Rules(
                        policy(),
                        dice.pick(List.of(0.0, 1.0, 10.0)),
                        dice.chance(0.8),
                        dice.chance(0.7),
                        Duration.ofMinutes(dice.between(20, 120)),
                        Duration.ofMinutes(pauses.pick(List.of(0, 5, 30))),
                        PlacementSettings.DEFAULT
                                .withPlacer(dice.pick(Placers.NAMES))
                                .placingTogether(pauses.chance(0.5)),
                        FairShare.DEFAULT,
                        new IdleRules(
                                5,
                                Duration.ofMinutes(pauses.between(1, 5)),
                                pauses.chance(0.6),
                                Duration.ofMinutes(pauses.between(0, 3))),
                        pauses.chance(0.3) ? Predictions.USED : Predictions.AS_NEEDED,
                        CarbonRules.NONE);
        var timing =
                new Timing(
                        Duration.ofMillis(dice.pick(List.of(0, 0, 50, 2000))),
                        Duration.ofSeconds(dice.between(0, 5)),
                        Duration.ofSeconds(dice.between(0, 3)),
                        Duration.ofSeconds(dice.between(1, 10)),
                        Duration.ofSeconds(20),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(3));
        return new Scenario(
                "random-" + seed,
                "drawn from seed " + seed,
                Scenario.DEFAULT_START,
                Duration.ofDays(5),
                rules,
                timing,
                nodes,
                tenants,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /// Any policy; those by which everybody near the front is promised a start a little more often.
    private String policy() {
        String other = dice.pick(named(false));
        return promises.chance(0.25) ? promises.pick(named(true)) : other;
    }

    private static List<String> named(boolean conservative) {
        return Policies.NAMES.stream()
                .filter(name -> name.endsWith("-conservative") == conservative)
                .toList();
    }

    private Node node(String name) {
        int count = dice.pick(List.of(1, 2, 4, 4, 8, 0));
        GpuModel model = GpuModel.parse(dice.pick(MODELS));
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < count; i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), name + "-" + i));
        }
        List<Taint> taints =
                dice.chance(0.15) ? List.of(new Taint("only", "some", "NoSchedule")) : List.of();
        String agent = dice.chance(0.2) ? "shared" : name;
        return new Node(
                new NodeId(name),
                new AgentId(agent),
                name,
                gpus,
                dice.chance(0.5) ? Machines.usual(gpus) : Topology.FLAT,
                Resources.cores(dice.between(4, 32), 65_536),
                taints,
                rack(mig(dice.chance(0.5) ? Labels.of("zone", "east") : Labels.NONE)));
    }

    private Labels mig(Labels labels) {
        return dice.chance(0.4)
                ? labels.with(
                        MigConfig.LABEL,
                        dice.pick(List.of("mixed", "mixed", "all-balanced", "all-1g.10gb")))
                : labels;
    }

    /// Mostly whole GPUs; shares and slices often enough to meet each other.
    private GpuRequest request(int each) {
        int memory = dice.chance(0.1) ? 60_000 : 0;
        if (each == 0 || each > 4 || dice.chance(0.5)) {
            return GpuRequest.whole(each, memory);
        }
        return switch (dice.below(4)) {
            case 0 -> GpuRequest.shares(dice.between(50, 900), memory / 10, each);
            case 1 ->
                    GpuRequest.slices(
                            dice.pick(List.of("1g.10gb", "2g.20gb", "3g.40gb", "1g.10gb+me")),
                            each);
            case 2 -> new GpuRequest.Whole(each, memory, dice.pick(List.of(Locality.values())), 0);
            default -> new GpuRequest.Whole(each, memory, Locality.ANY, dice.between(30, 600));
        };
    }

    /// Most nodes tell a rack, the first always.
    private Labels rack(Labels labels) {
        return nodes.isEmpty() || places.chance(0.9)
                ? labels.with("rack", places.chance(0.5) ? "r1" : "r2")
                : labels;
    }

    private List<Near> near(int tasks) {
        if (tasks == 1 || places.chance(0.5)) {
            return List.of();
        }
        String level = places.pick(List.of("rack", "rack", "rack", "node"));
        return List.of(new Near(level, places.chance(0.6)));
    }

    private Tenant tenant(int number) {
        long unlimited = Limits.UNLIMITED;
        var limit =
                new Limits(
                        dice.chance(0.5) ? dice.between(2, 12) * 1000L : unlimited,
                        dice.chance(0.1) ? 200_000 : unlimited,
                        dice.chance(0.2) ? dice.between(4, 40) * 1000L : unlimited,
                        dice.chance(0.1) ? 100_000 : unlimited,
                        dice.chance(0.3) ? dice.between(1, 5) : unlimited);
        var rules =
                new PreemptionRules(dice.chance(0.6), dice.chance(0.8), dice.chance(0.3) ? 2 : 0);
        boolean child = number > 1 && dice.chance(0.3);
        return new Tenant(
                new TenantId("t" + number),
                child ? new TenantId("t1") : null,
                guaranteed(child ? Math.min(limit.milliGpus(), 500) : limit.milliGpus()),
                limit,
                dice.pick(List.of(1.0, 1.0, 2.0, 0.5)),
                rules,
                true,
                Labels.NONE);
    }

    /// Little enough to fit below any limit of a parent, and its own.
    private Limits guaranteed(long most) {
        return dice.chance(0.4)
                ? new Limits(Math.min(most, dice.between(1, 6) * 1000L), 0, 0, 0, 0)
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
        script.sort(Comparator.comparing(Entry::at));
        return script;
    }

    private Arrival job(String name) {
        int tasks = dice.pick(List.of(1, 1, 1, 1, 2, 3));
        int each = dice.pick(List.of(0, 1, 1, 1, 2, 2, 4, 8));
        List<GpuModel> models =
                dice.chance(0.15) ? List.of(GpuModel.parse(dice.pick(MODELS))) : List.of();
        var shape =
                new Shape(
                        request(each),
                        Resources.cores(dice.between(0, 4), dice.pick(List.of(0, 0, 4096))),
                        models,
                        dice.chance(0.1) ? Labels.of("zone", "east") : Labels.NONE,
                        dice.chance(0.3)
                                ? List.of(new Toleration("only", true, "", ""))
                                : List.of());
        boolean limited = dice.chance(0.7);
        Duration runs = seconds(20, 1500);
        Duration limit =
                limited ? runs.multipliedBy(dice.between(1, 3)).plusSeconds(5) : Duration.ZERO;
        var spec =
                new JobSpec(
                        name,
                        dice.pick(tenants).id(),
                        dice.pick(List.of(0, 0, 10, 50, 100, 500)),
                        "kind",
                        List.of(Role.of(shape, tasks)),
                        near(tasks),
                        dice.chance(0.1) && limited ? runs.dividedBy(2) : limit,
                        new Interruption(seconds(0, 40), dice.chance(0.3), dice.chance(0.9)),
                        Payload.NOTHING,
                        pauses.chance(0.2)
                                ? Labels.of(IdleRules.LABEL, IdleRules.KEEP)
                                : Labels.NONE,
                        pauses.chance(0.5) ? Expected.NOTHING : expected(runs));
        var truth = new Truth(runs, dice.chance(0.15) ? 1 : 0, seconds(0, 50), pause());
        return new Arrival(moment(), spec, mood != Mood.CALM && dice.chance(0.05), truth);
    }

    /// A guess that is sometimes good.
    private Expected expected(Duration runs) {
        double usual = runs.toSeconds() * (0.3 + 1.5 * pauses.unit());
        return Expected.seconds(usual, usual * (1 + pauses.unit()));
    }

    private Truth.Pause pause() {
        return pauses.chance(0.3)
                ? new Truth.Pause(
                        Duration.ofSeconds(pauses.between(0, 600)),
                        Duration.ofSeconds(pauses.between(30, 1200)))
                : Truth.Pause.NONE;
    }

    private Fault trouble() {
        Node node = dice.pick(nodes);
        Duration at = moment();
        return switch (dice.below(11)) {
            case 0, 1 ->
                    new Fault.NodeLost(
                            at,
                            node.id(),
                            dice.chance(0.85) ? seconds(5, 400) : null,
                            dice.chance(0.5));
            case 2 -> new Fault.AgentRestarted(at, node.id());
            case 3 -> new Fault.SlowStart(at, node.id(), seconds(1, 400), seconds(60, 1200));
            case 4 -> new Fault.StartsRefused(at, node.id(), seconds(5, 300));
            case 5, 6 ->
                    new Fault.BadNetwork(
                            at, 0.2 * dice.unit(), 0.4 * dice.unit(), seconds(60, 1800));
            case 8 -> new Fault.GpusGone(at, node.id(), dice.between(0, 8), seconds(30, 1200));
            case 9 -> new Fault.ForeignUse(at, node.id(), someGpus(node), seconds(30, 1200));
            case 7 -> new Fault.GpusHot(at, node.id(), someGpus(node), seconds(30, 1200));
            default -> new Fault.GpusUnfit(at, node.id(), someGpus(node), seconds(30, 1200));
        };
    }

    private long someGpus(Node node) {
        return dice.next() & node.allGpus();
    }

    private Action deed(List<Entry> script, int jobs) {
        Arrival arrival = ((Entry.Job) script.get(dice.below(jobs))).arrival();
        String job = arrival.spec().name();
        Duration at = arrival.at().plus(seconds(1, 1200));
        NodeId node = dice.pick(nodes).id();
        return switch (dice.below(10)) {
            case 8 -> new Action.SetPolicy(at, policy());
            case 0, 1 -> new Action.Cancel(at, job);
            case 2 -> new Action.Hold(at, job);
            case 3 -> new Action.Release(at, job);
            case 4 -> new Action.Reprioritise(at, job, dice.between(-10, 600));
            case 5 -> new Action.Cordon(at, node);
            case 6 -> new Action.Drain(at, node, dice.chance(0.7));
            case 7 -> new Action.Uncordon(at, node);
            default -> new Action.ChangeTenant(at, changed(dice.pick(tenants)));
        };
    }

    private Tenant changed(Tenant tenant) {
        Tenant other = tenant(1);
        return new Tenant(
                tenant.id(),
                dice.chance(0.3) ? parent(tenant) : tenant.parent(),
                other.guaranteed(),
                other.limit(),
                other.weight(),
                other.rules(),
                true,
                Labels.NONE);
    }

    private @Nullable TenantId parent(Tenant tenant) {
        TenantId other = dice.pick(tenants).id();
        return other.equals(tenant.id()) || dice.chance(0.3) ? null : other;
    }

    private Duration moment() {
        return Duration.ofSeconds(dice.between(0, MINUTES * 60));
    }

    private Duration seconds(int least, int most) {
        return Duration.ofSeconds(dice.between(least, most));
    }
}
