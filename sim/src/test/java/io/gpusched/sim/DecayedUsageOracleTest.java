package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.tenants.DecayedUsage;
import io.gpusched.core.tenants.TenantImage;
import io.gpusched.core.tenants.TenantShare;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.audit.NaiveLedger;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What tenants used lately, folded step by step, equals the integral over the whole history of
/// what their jobs held, added up from scratch.
final class DecayedUsageOracleTest {
    private static final Duration HALF_LIFE = Duration.ofMinutes(20);

    /// Sums of many exponentials differ in the last digits.
    private static final Offset<Double> ALMOST = Offset.offset(1e-6);

    /// What the own jobs of a tenant held from one moment to another.
    private record Span(Instant from, Instant to, Usage held) {}

    @Test
    void whatWasUsedLatelyEqualsTheIntegralOverHistory() {
        PropertyRunner.check(
                12,
                seed -> RandomScenario.script(seed, Mood.STORMY, 40),
                (seed, script) -> {
                    Scenario cluster = RandomScenario.cluster(seed, Mood.STORMY);
                    ScenarioPolicy scenarioPolicy =
                            cluster.scenarioPolicy()
                                    .withPolicy("fair")
                                    .withFairShare(new FairShareSettings(HALF_LIFE, seed % 2 == 0));
                    Scenario scenario =
                            RandomScenario.with(cluster.withRules(scenarioPolicy), script);
                    compare(scenario, Audited.run(scenario, seed).batches());
                });
    }

    private static void compare(Scenario scenario, List<Batch> batches) {
        var engine =
                new Engine(
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings());
        var naive = new NaiveLedger();
        var history = new TreeMap<TenantId, List<Span>>();
        Instant since = scenario.start();
        for (Batch batch : batches) {
            List<Event> events =
                    Stream.concat(batch.facts().stream(), batch.decided().stream()).toList();
            for (Event event : events) {
                note(naive, since, event.at(), history);
                since = event.at();
                engine.apply(event);
                naive.apply(event);
            }
            if (batch.number() % 25 == 0) {
                compare(engine, naive, history);
                checkWeights(engine, batch.at());
            }
        }
        compare(engine, naive, history);
    }

    /// Weights that adjust themselves stay within their bounds, and say what they did.
    private static void checkWeights(Engine engine, Instant at) {
        for (TenantShare row : engine.state().tenantShares(at)) {
            double factor = row.adjusted() / row.tenant().weight();
            assertThat(factor)
                    .as("weight of %s: %s", row.tenant().id(), row.reason())
                    .isBetween(FairShareSettings.LEAST, FairShareSettings.MOST);
            assertThat(row.reason())
                    .satisfiesAnyOf(
                            why -> assertThat(why).startsWith("as given"),
                            why ->
                                    assertThat(why)
                                            .matches(
                                                    "held (nothing|[0-9]+ %) of its share lately,"
                                                            + " so [0-9.]+ times its weight"));
            if (row.reason().startsWith("as given")) {
                assertThat(factor).as(row.reason()).isEqualTo(1);
            }
        }
    }

    private static void note(
            NaiveLedger naive, Instant from, Instant to, Map<TenantId, List<Span>> history) {
        if (from.isBefore(to)) {
            for (Job job : naive.holders()) {
                history.computeIfAbsent(job.tenant(), id -> new ArrayList<>())
                        .add(new Span(from, to, Usage.of(job.spec())));
            }
        }
    }

    private static void compare(
            Engine engine, NaiveLedger naive, Map<TenantId, List<Span>> history) {
        for (TenantImage image : engine.image().tenants()) {
            TenantId id = image.tenant().id();
            double[] own = integral(id, history, image.latelyAt());
            assertSame("own jobs of " + id, image.ownLately(), own);
            var all = new double[3];
            for (Tenant tenant : naive.tenants()) {
                if (isUnder(tenant, id, naive)) {
                    double[] part = integral(tenant.id(), history, image.latelyAt());
                    for (int i = 0; i < all.length; i++) {
                        all[i] += part[i];
                    }
                }
            }
            assertSame("jobs of " + id + " and below", image.lately(), all);
        }
    }

    private static void assertSame(String whose, DecayedUsage fast, double[] naive) {
        assertThat(fast.milliGpus() / 1000).as("GPUs of " + whose).isCloseTo(naive[0], ALMOST);
        assertThat(fast.milliCpu() / 1000).as("cores of " + whose).isCloseTo(naive[1], ALMOST);
        assertThat(fast.memoryMiB() / 1000).as("memory of " + whose).isCloseTo(naive[2], ALMOST);
    }

    private static boolean isUnder(Tenant tenant, TenantId above, NaiveLedger naive) {
        Map<TenantId, Tenant> all = new TreeMap<>();
        naive.tenants().forEach(each -> all.put(each.id(), each));
        Tenant each = tenant;
        while (each != null && !each.id().equals(above)) {
            each = each.parent() == null ? null : all.get(each.parent());
        }
        return each != null;
    }

    /// GPUs, cores and GB of memory: each span counts for what of its weight lies between its ends.
    private static double[] integral(TenantId id, Map<TenantId, List<Span>> history, Instant at) {
        var sum = new double[3];
        for (Span span : history.getOrDefault(id, List.of())) {
            double part = weightSince(span.to(), at) - weightSince(span.from(), at);
            sum[0] += part * span.held().milliGpus() / 1000;
            sum[1] += part * span.held().milliCpu() / 1000;
            sum[2] += part * span.held().memoryMiB() / 1000;
        }
        return sum;
    }

    /// Two to the power of minus the half-lives that have passed; 1 for what is yet to come.
    private static double weightSince(Instant when, Instant at) {
        double passed = Math.max(0, Duration.between(when, at).toNanos());
        return Math.pow(2, -passed / HALF_LIFE.toNanos());
    }
}
