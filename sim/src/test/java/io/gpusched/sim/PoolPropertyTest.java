package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.pool.CacheState;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// Pools that scale beside a random workload. The auditor watches every run: quotas, gangs and
/// capacity hold for replicas as for any job.
final class PoolPropertyTest {
    @Test
    void aRestartAtAnyBatchChangesNothingThatFollowsWithPools() {
        check(12, Mood.CALM, RestartEqualsContinueTest::cutEverywhere);
    }

    @Test
    void aRestartInTheMiddleOfTroubleChangesNothingThatFollowsWithPools() {
        check(16, Mood.STORMY, RestartEqualsContinueTest::cutEverywhere);
    }

    @Test
    void aSchedulerThatRestartsKeepsItsPools() {
        check(8, Mood.WILD, (scenario, run) -> {});
    }

    @Test
    void wakingLittleDecidesLikeWakingEverythingWithPools() {
        check(
                12,
                Mood.STORMY,
                (scenario, run) -> {
                    var settings = scenario.scenarioPolicy().toSettings();
                    var everything = settings.toBuilder().wakeEverything(true).build();
                    var others = new ArrayList<Batch>();
                    long seed = Long.parseLong(scenario.name().substring("random-".length()));
                    Audited.run(
                            scenario,
                            seed,
                            everything,
                            List.of((batch, cycleResult) -> others.add(batch)));
                    WakeOracleTest.compare(scenario, run.batches(), others);
                });
    }

    @Test
    void randomRunsContainPoolsThatGrowAndShrink() {
        long scaled = 0;
        long replicas = 0;
        for (long seed = 1; seed <= 10; seed++) {
            Scenario scenario = scenario(seed, Mood.CALM);
            for (Batch batch : Audited.run(scenario, seed).batches()) {
                scaled += count(batch, Event.PoolScaled.class);
                replicas += count(batch, Event.JobSubmitted.class);
            }
        }
        assertThat(scaled).isGreaterThan(50);
        assertThat(replicas).isGreaterThan(50);
    }

    @Test
    void randomRunsContainModelsThatAreLoadedAheadAndLeave() {
        long wanted = 0;
        long evicted = 0;
        long loaded = 0;
        for (long seed = 1; seed <= 10; seed++) {
            Scenario scenario = scenario(seed, Mood.STORMY);
            for (Batch batch : Audited.run(scenario, seed).batches()) {
                wanted += count(batch, Event.ModelWanted.class);
                evicted +=
                        batch.decided().stream()
                                .filter(
                                        event ->
                                                event instanceof Event.ModelUnwanted e && e.evict())
                                .count();
                loaded += batch.facts().stream().filter(PoolPropertyTest::isLoaded).count();
            }
        }
        assertThat(wanted).as("models wanted").isBetween(30L, 600L);
        assertThat(loaded).as("models loaded").isGreaterThan(20);
        assertThat(evicted).as("models evicted").isPositive();
    }

    private static boolean isLoaded(Event event) {
        return event instanceof Event.ModelCached e && e.state() == CacheState.CACHED;
    }

    private static long count(Batch batch, Class<? extends Event> kind) {
        return batch.decided().stream().filter(kind::isInstance).count();
    }

    private static Scenario scenario(long seed, Mood mood) {
        Scenario cluster = RandomScenario.cluster(seed, mood);
        List<RandomScenario.Entry> script = RandomScenario.script(seed, mood, 30);
        return RandomScenario.with(cluster, RandomPools.beside(seed, cluster, script));
    }

    private interface Then {
        void look(Scenario scenario, Audited run);
    }

    private static void check(int seeds, Mood mood, Then then) {
        PropertyRunner.check(
                seeds,
                seed ->
                        RandomPools.beside(
                                seed,
                                RandomScenario.cluster(seed, mood),
                                RandomScenario.script(seed, mood, 30)),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, mood), script);
                    then.look(scenario, Audited.run(scenario, seed));
                });
    }
}
