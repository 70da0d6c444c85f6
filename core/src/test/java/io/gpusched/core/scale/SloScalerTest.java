package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.Slo;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

final class SloScalerTest {
    private static final int SEEDS = 12;

    private final Signals signals = Signals.of("slo").between(1, 40);
    private int size = 4;
    private long second;

    /// Runs a steady load; the pool has the recommended size at once.
    private Recommendation run(SteadyPool pool, double requests, int seconds) {
        Recommendation last = new Recommendation(size, "", "");
        for (int i = 0; i < seconds; i++) {
            second++;
            signals.load(second, pool.second(requests, size));
            if (second % 5 == 0) {
                last = signals.ready(size).recommend();
                size = last.replicas();
            }
        }
        return last;
    }

    /// Any load must be kept without a change although every figure is wrong by up to 5 %.
    @Test
    void noiseOfFivePercentChangesNothing() {
        Long only = Long.getLong("seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++) {
            var test = new SloScalerTest();
            test.keeps(seed, 3 + 2.37 * seed);
        }
    }

    private void keeps(long seed, double requests) {
        var pool = new SteadyPool(seed);
        run(pool, requests, 1_200);
        pool.noise(0.05);
        run(pool, requests, 300);
        int before = size;
        for (int i = 0; i < 240; i++) {
            Recommendation found = run(pool, requests, 5);
            assertThat(found.replicas())
                    .as("seed %d, %.2f requests/s, second %d: %s", seed, requests, second, found)
                    .isEqualTo(before);
        }
    }

    @Test
    void thePoolFollowsTheLoadUpAndDown() {
        var pool = new SteadyPool(1);
        run(pool, 10, 1_200);
        int low = size;
        Recommendation grown = run(pool, 30, 600);
        int high = size;
        assertThat(high).isGreaterThan(2 * low);
        assertThat(grown.rule()).startsWith("slo");
        assertThat(grown.reason())
                .contains("30.0 requests/s", "expected in 60s", "% are planned", "met the SLO");
        run(pool, 10, 3_600);
        assertThat(size).isBetween(low, low + 2);
    }

    @Test
    void aStricterObjectiveNeedsMoreReplicas() {
        var pool = new SteadyPool(1);
        run(pool, 20, 1_200);
        var strict = new SloScalerTest();
        strict.signals.slo(new Slo(1_000, 50, 0, 990));
        strict.run(new SteadyPool(1), 20, 1_200);
        assertThat(strict.size).isGreaterThan(size);
    }

    /// A pool with bursts keeps replicas for the next one, although it is idle in between.
    @Test
    void burstsOfThePastAreProvidedFor() {
        var pool = new SteadyPool(1);
        for (int i = 0; i < 10; i++) {
            run(pool, 30, 10);
            run(pool, 1, 110);
        }
        int bursty = size;
        var steady = new SloScalerTest();
        steady.run(new SteadyPool(1), (30 * 10 + 110) / 120.0, 1_200);
        assertThat(bursty).isGreaterThan(steady.size + 2);
    }

    @Test
    void anIdlePoolStopsAfterTheCooldownAndStartsWithTheFirstRequest() {
        signals.between(0, 40);
        run(new SteadyPool(1), 5, 300);
        for (int i = 0; i < 310; i++) {
            second++;
            signals.load(second, LoadBuilder.aLoad(second).build());
        }
        Recommendation idle = signals.ready(size).recommend();
        assertThat(idle.replicas()).isZero();
        assertThat(idle.reason()).isEqualTo("no request for 300s");
        signals.load(++second, LoadBuilder.aLoad(second).arrivals(1, 100).held(1, 100).build());
        assertThat(signals.ready(0).recommend().replicas()).isPositive();
    }

    @Test
    void aPoolWithoutReportsKeepsItsSize() {
        assertThat(signals.ready(7).recommend().replicas()).isEqualTo(7);
    }

    @Test
    void itsRulesShrinkSoonerThanOthers() {
        assertThat(ScalingRules.slo().down()).isEqualTo(ScaleBehavior.DOWN_SOON);
    }

    @Test
    void aPoolThatNeverHadARequestStops() {
        signals.between(0, 40);
        for (int i = 1; i <= 3_600; i++) {
            signals.load(i, LoadBuilder.aLoad(i).build());
        }
        Recommendation found = signals.ready(3).recommend();
        assertThat(found.replicas()).isZero();
        assertThat(found.reason()).isEqualTo("no request came yet");
    }

    /// 50 tokens per second need an iteration in 20 ms, but one without requests takes 29 ms.
    @Test
    void anObjectiveThatNoSizeMeetsIsSaidSoAndGrowsThePoolNoFurther() {
        signals.slo(new Slo(0, 0, 50, 990));
        Recommendation found = run(new SteadyPool(1), 3, 1_200);
        assertThat(size).isLessThan(12);
        assertThat(found.rule()).isEqualTo("slo: no size keeps the SLO");
        assertThat(found.reason()).startsWith("max, 40, misses the SLO for ");
    }

    @Test
    void anObjectiveThatNoSizeMeetsShrinksThePoolAgain() {
        signals.slo(new Slo(0, 0, 50, 990));
        size = 40;
        run(new SteadyPool(1), 3, 1_200);
        assertThat(size).isLessThan(20);
    }

    /// Counted by the sizes that are tried, since time depends on the machine.
    @Test
    void aLargePoolTriesFewSizes() {
        var tried = new AtomicInteger();
        assertThat(SizeSearch.up(3, 10_000, size -> tried.incrementAndGet() > 0 && size >= 7_777))
                .isEqualTo(7_777);
        assertThat(SizeSearch.down(10_000, size -> tried.incrementAndGet() > 0 && size >= 41))
                .isEqualTo(41);
        assertThat(tried.get()).isLessThan(160);
    }

    @Test
    void searchesFindTheSizeThatTryingEachInTurnFinds() {
        for (int from = 1; from <= 60; from++) {
            for (int enough = 1; enough <= 60; enough++) {
                int least = enough;
                assertThat(SizeSearch.up(from, 50, size -> size >= least))
                        .isEqualTo(Math.max(from, Math.min(50, least)));
                assertThat(SizeSearch.down(from, size -> size >= least))
                        .isEqualTo(Math.min(from, least));
            }
        }
    }

    @Test
    void roomIsCountedOnlyWhereThePoolGrows() {
        run(new SteadyPool(1), 20, 600);
        int right = size;
        int before = signals.roomCounted();
        signals.ready(right).recommend();
        assertThat(signals.roomCounted()).isEqualTo(before);
        signals.ready(1).recommend();
        assertThat(signals.roomCounted()).isEqualTo(before + 1);
    }

    /// The load grows all the time, so a replica that comes later has more to do.
    @Test
    void aReplicaThatCannotBePlacedYetIsPlannedForTheTimeWhenItIsReady() {
        var pool = new SteadyPool(1);
        size = 40;
        for (int minute = 0; minute < 30; minute++) {
            for (int i = 0; i < 60; i++) {
                second++;
                signals.load(second, pool.second(5 + minute, size));
            }
        }
        Recommendation atOnce = signals.ready(1).recommend();
        Recommendation late = signals.noPlaceBefore(second + 900).recommend();
        assertThat(late.replicas()).isGreaterThan(atOnce.replicas());
        assertThat(late.reason())
                .contains("are expected in 960s")
                .endsWith(
                        "; 0 of 1 missing can be placed without preemption, 1 by "
                                + Signals.at(second + 900));
        assertThat(atOnce.reason()).contains("are expected in 60s").doesNotContain("missing");
    }

    @Test
    void aReplicaThatComesLateIsNoReasonToAskForFewer() {
        var pool = new SteadyPool(1);
        run(pool, 10, 1_200);
        run(pool, 40, 60);
        Recommendation atOnce = signals.ready(1).recommend();
        Recommendation late = signals.noPlaceBefore(second + 3_000).recommend();
        assertThat(late.replicas()).isGreaterThanOrEqualTo(atOnce.replicas());
    }
}
