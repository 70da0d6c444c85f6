package io.gpusched.sim;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.scenario.UserAction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Pools beside a random script, drawn from a seed of their own.
final class RandomPools {
    private RandomPools() {}

    /// The same script with pools beside it: they come, serve a load that rises and falls, are held
    /// and released, and are removed at the end.
    static List<RandomScenario.Entry> beside(
            long seed, Scenario cluster, List<RandomScenario.Entry> script) {
        var all = new ArrayList<>(script);
        var random = SeededRandom.of(seed, "pools", 0);
        for (String model : List.of("llama", "mixtral", "qwen")) {
            var put = new UserAction.PutModel(Duration.ofSeconds(0), model(model, random));
            all.add(new RandomScenario.Entry.Deed(put));
            var again = Duration.ofSeconds(random.between(600, 3000));
            all.add(
                    new RandomScenario.Entry.Deed(
                            random.chance(0.3)
                                    ? new UserAction.RemoveModel(again, model)
                                    : new UserAction.PutModel(again, model(model, random))));
        }
        for (int number = random.between(1, 2); number > 0; number--) {
            Pool pool = pool("p" + number, random, cluster);
            market(random, cluster, all);
            int from = random.between(0, 600);
            int to = from + random.between(900, 3000);
            all.add(
                    new RandomScenario.Entry.Deed(
                            new UserAction.PutPool(Duration.ofSeconds(from), pool)));
            int sessions = random.between(0, 6);
            for (int second = from + 7; second < to; second += random.between(5, 40)) {
                sessions = Math.max(0, sessions + random.between(-3, 3));
                int held = sessions > 0 && random.chance(0.2) ? random.between(1, 5) : 0;
                var at = Duration.ofSeconds(second);
                all.add(
                        new RandomScenario.Entry.Deed(
                                new UserAction.ReportLoad(at, pool.id(), held, sessions)));
            }
            if (random.chance(0.5)) {
                Duration at = Duration.ofSeconds(random.between(from + 1, to));
                all.add(new RandomScenario.Entry.Deed(new UserAction.ScalePool(at, pool.id(), 2)));
                all.add(
                        new RandomScenario.Entry.Deed(
                                new UserAction.ScalePool(at.plusSeconds(90), pool.id(), null)));
            }
            for (int change = random.between(0, 2); change > 0; change--) {
                Duration at = Duration.ofSeconds(random.between(from + 1, to));
                Pool other = withTemplate(pool, random);
                all.add(new RandomScenario.Entry.Deed(new UserAction.PutPool(at, other)));
            }
            if (random.chance(0.7)) {
                Duration at = Duration.ofSeconds(random.between(from + 1, to));
                Pool changed = changed(pool, random);
                all.add(new RandomScenario.Entry.Deed(new UserAction.PutPool(at, changed)));
            }
            all.add(
                    new RandomScenario.Entry.Deed(
                            new UserAction.RemovePool(Duration.ofSeconds(to + 60L), pool.id())));
        }
        all.sort(Comparator.comparing(RandomScenario.Entry::at));
        return all;
    }

    /// Some nodes become cheap ones that may be taken away at any time, or are dear.
    private static void market(
            SeededRandom random, Scenario cluster, List<RandomScenario.Entry> into) {
        var labels = random.pick(cluster.nodes()).labels().entries();
        for (var label : labels.entrySet()) {
            boolean spot = random.chance(0.7);
            int price = random.between(1, 5) * 1_000_000;
            int grams = random.between(100, 500);
            var market = new Market(label.getKey(), label.getValue(), price, grams, spot);
            Duration at = Duration.ofSeconds(random.between(0, 900));
            into.add(new RandomScenario.Entry.Deed(new UserAction.SetMarket(at, market)));
        }
    }

    /// The same pool, whose replicas run another script or have more or fewer cores. There are few
    /// templates, so that a pool often returns to an earlier one.
    private static Pool withTemplate(Pool pool, SeededRandom random) {
        String text = random.pick(List.of("", "a", "b"));
        var script = new Payload(text, List.of(), List.of(), Labels.NONE, "", "");
        Role role = pool.replica().roles().getFirst();
        Shape before = role.shape();
        var shape =
                new Shape(
                        before.gpus(),
                        Resources.cores(random.between(1, 2), 1024),
                        before.models(),
                        before.nodes(),
                        before.tolerates());
        return new Pool(
                pool.id(),
                pool.model(),
                pool.replica()
                        .withPayload(script)
                        .withRoles(List.of(new Role(role.name(), shape, role.min(), role.max()))),
                pool.min(),
                pool.max(),
                pool.warmPercent(),
                pool.slo(),
                pool.scaling(),
                pool.cost(),
                pool.carbon(),
                pool.locality(),
                pool.serving());
    }

    /// The same pool with other bounds and another time to drain.
    private static Pool changed(Pool pool, SeededRandom random) {
        var serving =
                new ServingRules(
                        pool.serving().port(),
                        pool.serving().healthPath(),
                        pool.serving().metricsPath(),
                        Duration.ofSeconds(random.pick(List.of(1, 60, 600))),
                        "",
                        pool.serving().affinityFor(),
                        pool.serving().loadTime());
        return new Pool(
                pool.id(),
                pool.model(),
                pool.replica(),
                random.between(0, 1),
                random.between(1, 5),
                pool.warmPercent(),
                pool.slo(),
                pool.scaling(),
                cost(random),
                pool.carbon(),
                pool.locality(),
                serving);
    }

    private static CostRules cost(SeededRandom random) {
        return new CostRules(
                random.pick(List.of(0, 9_000_000)),
                random.pick(List.of(0, 50)),
                random.pick(List.of(0, 50, 100)),
                List.of(),
                random.between(0, 2),
                Duration.ofMinutes(20),
                random.chance(0.5),
                "qwen",
                random.chance(0.5),
                random.chance(0.5),
                "");
    }

    private static ModelSpec model(String name, SeededRandom random) {
        return new ModelSpec(
                name,
                "file:/models/" + name,
                random.pick(List.of(0L, 25_000_000_000L, 30_000_000_000L)),
                Duration.ZERO,
                random.between(0, 2),
                random.pick(List.of(ModelSpec.Eviction.values())),
                Duration.ofSeconds(random.pick(List.of(0, 120))),
                random.chance(0.6) ? List.of("n1", "n2") : List.of(),
                "",
                "");
    }

    private static Pool pool(String name, SeededRandom random, Scenario cluster) {
        var shape =
                new Shape(
                        GpuRequest.whole(random.pick(List.of(1, 1, 2)), 0),
                        Resources.cores(1, 1024),
                        List.of(),
                        Labels.NONE,
                        List.of());
        Tenant tenant = random.pick(cluster.tenants());
        var replica =
                JobSpec.builder(tenant.id(), List.of(Role.of(shape, random.between(1, 2))))
                        .priority(random.pick(List.of(0, 300, 900)))
                        .build();
        var target = new MetricTarget(PoolMetric.CONCURRENT_SESSIONS, 2_000, Duration.ZERO);
        var usual = ScalingRules.of("targets");
        var down =
                new ScaleBehavior(
                        Duration.ofSeconds(random.pick(List.of(0, 60))),
                        ScaleBehavior.Select.LARGEST,
                        List.of());
        var scaling =
                new ScalingRules(
                        "targets",
                        List.of(target),
                        0,
                        null,
                        List.of(),
                        ScaleBehavior.UP,
                        down,
                        Duration.ofSeconds(60),
                        usual.every(),
                        usual.staleAfter());
        return new Pool(
                new PoolId(name),
                random.pick(List.of("llama", "mixtral", "qwen", "")),
                replica,
                random.between(0, 1),
                random.between(2, 5),
                random.pick(List.of(0, 30)),
                random.chance(0.5) ? new Slo(random.pick(List.of(150, 400)), 0, 0, 990) : Slo.NONE,
                scaling,
                random.chance(0.5) ? cost(random) : CostRules.NONE,
                random.chance(0.2)
                        ? new CarbonRules(List.of(), random.pick(List.of(0, 300)), 600, 900)
                        : CarbonRules.NONE,
                new LocalityRules(List.of(), 0, List.of(), 0, random.between(0, 3), ""),
                serving(name, random));
    }

    /// Half of the pools serve a port, each a range of its own.
    private static ServingRules serving(String name, SeededRandom random) {
        var usual = ServingRules.NONE;
        int port = random.chance(0.5) ? 8_000 + 100 * name.charAt(1) : 0;
        return new ServingRules(
                port,
                usual.healthPath(),
                usual.metricsPath(),
                usual.drain(),
                "",
                usual.affinityFor(),
                usual.loadTime());
    }
}
