package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.state.ClusterState;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.scenario.UserAction;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// A pool whose replicas have the highest priority grows over the whole cluster and shrinks again,
/// beside a tenant with batch jobs. Both tenants have a guarantee, and both borrow.
final class PoolGuaranteeTest {
    private static final PoolId CHAT = new PoolId("chat");
    private static final String BATCH = "batch";
    private static final String SERVING = "serving";
    private static final Duration SPAN = Duration.ofHours(6);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void batchAndPoolsGetTheirGuaranteesBack(long seed) {
        var random = SeededRandom.of(seed, "pool guarantees", 0);
        List<Tenant> tenants =
                List.of(
                        FairnessTest.tenant(BATCH, "", 1, 20),
                        FairnessTest.tenant(SERVING, "", 1, 12));
        Scenario scenario =
                FairnessTest.scenario(
                                tenants,
                                List.of(),
                                SPAN,
                                new FairShareSettings(Duration.ofHours(6), false))
                        .withScript(batchJobs(random), List.of(), load(random));
        Simulation simulation = FairnessTest.simulation(scenario, seed, List.of());
        var wrongSince = new HashMap<String, Instant>();
        int batchBelow = 0;
        int poolBelow = 0;
        while (simulation.step()) {
            ClusterState state = simulation.cell().engine().state();
            batchBelow += FairnessTest.check(BATCH, state, wrongSince) ? 1 : 0;
            poolBelow += FairnessTest.check(SERVING, state, wrongSince) ? 1 : 0;
        }
        assertThat(batchBelow).as("times that batch took GPUs back").isPositive();
        assertThat(poolBelow).as("times that the pool took GPUs back").isPositive();
    }

    /// Waves of jobs with pauses in which the pool may borrow.
    private static List<Arrival> batchJobs(SeededRandom random) {
        var jobs = new ArrayList<Arrival>();
        for (int i = 0; i < 300; i++) {
            Duration wave = Duration.ofMinutes(60L * random.below(6));
            Duration at = wave.plusSeconds(random.between(0, 120));
            Duration runs = Duration.ofSeconds(random.between(60, 2400));
            jobs.add(FairnessTest.job(BATCH, "j" + i, 1, at, runs));
        }
        return jobs;
    }

    /// Sessions for 0 to 32 replicas, in waves of their own.
    private static List<UserAction> load(SeededRandom random) {
        var actions = new ArrayList<UserAction>();
        actions.add(new UserAction.PutPool(Duration.ZERO, pool()));
        int sessions = 0;
        for (long second = 10; second < SPAN.toSeconds(); second += 10) {
            if (second % 1200 == 10) {
                sessions = random.between(0, 64);
            }
            actions.add(new UserAction.ReportLoad(Duration.ofSeconds(second), CHAT, 0, sessions));
        }
        actions.add(new UserAction.RemovePool(SPAN, CHAT));
        return actions;
    }

    private static Pool pool() {
        JobSpec replica = FairnessTest.job(SERVING, "replica", 1, Duration.ZERO, SPAN).spec();
        ScalingRules usual = ScalingRules.of("targets");
        var down =
                new ScaleBehavior(Duration.ofMinutes(1), ScaleBehavior.Select.LARGEST, List.of());
        var scaling =
                new ScalingRules(
                        "targets",
                        List.of(
                                new MetricTarget(
                                        PoolMetric.CONCURRENT_SESSIONS, 2_000, Duration.ZERO)),
                        0,
                        null,
                        List.of(),
                        ScaleBehavior.UP,
                        down,
                        usual.cooldown(),
                        usual.every(),
                        usual.staleAfter());
        return new Pool(
                CHAT,
                "",
                JobSpec.builder(replica.tenant(), replica.roles())
                        .name("replica")
                        .priority(9_000)
                        .onLoss(replica.onLoss())
                        .build(),
                0,
                32,
                0,
                Slo.NONE,
                scaling,
                CostRules.NONE,
                CarbonRules.NONE,
                LocalityRules.NONE,
                ServingRules.NONE);
    }
}
