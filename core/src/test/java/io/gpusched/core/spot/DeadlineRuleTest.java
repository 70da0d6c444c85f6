package io.gpusched.core.spot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

final class DeadlineRuleTest {
    private static final SpotPrices PRICES = new SpotPrices(973_100, 3_060_000);
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final int SEEDS = 60;

    private final DeadlineRule rule = new DeadlineRule(8);

    @Test
    void aJobRunsOnSpotCapacityWhileItsSlackCoversTheLoss() {
        assertThat(decide(job(52, 48, SpotChoice.WAIT), true, 0).choice())
                .isEqualTo(SpotChoice.SPOT);
        SpotDecision stays = decide(job(52, 48, SpotChoice.SPOT), true, 5 * HOUR);
        assertThat(stays.choice()).isEqualTo(SpotChoice.SPOT);
        assertThat(stays.reason()).contains("slack of 4 h 0 min");
    }

    @Test
    void aJobWaitsWhenAnOutageBeginsAndRunsOnDemandWhenItGoesOn() {
        DeadlineJob job = job(70, 48, SpotChoice.WAIT);
        assertThat(decide(job, false, 0).choice()).isEqualTo(SpotChoice.WAIT);
        SpotDecision later = decide(job(52, 48, SpotChoice.WAIT), false, 20 * HOUR);
        assertThat(later.choice()).isEqualTo(SpotChoice.ON_DEMAND);
        assertThat(later.reason())
                .matches(
                        "slack 4 h 0 min, spot capacity unavailable for 20 h 0 min; expected cost"
                                + " in hours on demand: wait \\d+\\.\\d on demand \\d+\\.\\d");
    }

    @Test
    void withoutSlackAJobRunsOnDemandAlsoFromSpotCapacity() {
        var job =
                new DeadlineJob(
                        48 * HOUR + 9 * MINUTE,
                        48 * HOUR,
                        6 * MINUTE,
                        0,
                        SpotChoice.SPOT,
                        10 * MINUTE);
        SpotDecision decision = decide(job, true, HOUR);
        assertThat(decision.choice()).isEqualTo(SpotChoice.ON_DEMAND);
        assertThat(decision.reason()).contains("the slack of 9 min is too short");
        assertThat(decide(job(47, 48, SpotChoice.WAIT), true, HOUR).choice())
                .isEqualTo(SpotChoice.ON_DEMAND);
    }

    @Test
    void spotCapacityThatIsNotCheaperIsNotUsed() {
        SpotHistory history = SpotHistory.begin(0, true);
        SpotDecision decision =
                rule.decide(0, job(70, 48, SpotChoice.WAIT), new SpotPrices(5, 5), history);
        assertThat(decision)
                .isEqualTo(
                        new SpotDecision(
                                SpotChoice.ON_DEMAND,
                                "spot capacity is not cheaper than on demand"));
    }

    @Test
    void theRuleLearnsFromTheMarket() {
        SpotHistory restless = market(40, 10 * MINUTE, 10 * HOUR);
        SpotHistory slow = market(40, 30 * HOUR, 10 * HOUR);
        assertThat(restless.outageHalvings(restless.since())).isPositive();
        assertThat(slow.outageHalvings(slow.since())).isNegative();
        DeadlineJob job = job(54, 48, SpotChoice.WAIT);
        assertThat(costOnDemand(rule.decide(slow.since(), job, PRICES, slow)))
                .isGreaterThan(costOnDemand(rule.decide(restless.since(), job, PRICES, restless)));
    }

    private static double costOnDemand(SpotDecision decision) {
        return Double.parseDouble(
                decision.reason().substring(decision.reason().lastIndexOf(' ') + 1));
    }

    @Test
    void aMonthIsPlannedAsThreeDaysWithTheirShare() {
        assertThat(decide(job(24 * 40, 24 * 30, SpotChoice.WAIT), true, 0).choice())
                .isEqualTo(SpotChoice.SPOT);
        assertThat(decide(job(24 * 40, 24 * 30, SpotChoice.WAIT), false, 0).choice())
                .isEqualTo(SpotChoice.WAIT);
        assertThat(decide(job(24 * 31, 24 * 30, SpotChoice.WAIT), false, 200 * HOUR).choice())
                .isEqualTo(SpotChoice.ON_DEMAND);
    }

    /// Whatever the market does, also if it takes a whole interval of work with it.
    @Test
    void noDeadlineIsMissed() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var day = new Day(new Random(seed));
            assertThat(day.finish(rule)).as("seed %d", seed).isLessThanOrEqualTo(day.deadline);
        }
    }

    @Test
    void decisionsDoNotDependOnWhatWasDecidedBefore() {
        var fresh = new ArrayList<SpotChoice>();
        var reused = new ArrayList<SpotChoice>();
        for (long seed = 0; seed < 10; seed++) {
            new Day(new Random(seed), reused).finish(rule);
            new Day(new Random(seed), fresh).finish(new DeadlineRule(1));
        }
        assertThat(reused).isEqualTo(fresh);
    }

    @Test
    void jobsOfAnyProportionShareOneTable() {
        for (int look = 0; look < 10; look++) {
            decide(job(70, 60, SpotChoice.WAIT), true, 0);
            decide(job(70, 30, SpotChoice.WAIT), true, 0);
            decide(job(70, 4, SpotChoice.WAIT), true, 0);
        }
        assertThat(rule.tablesComputed()).isEqualTo(1);
    }

    private SpotDecision decide(DeadlineJob job, boolean has, long age) {
        return rule.decide(age, job, PRICES, SpotHistory.begin(0, has));
    }

    private static DeadlineJob job(int timeLeft, int remaining, SpotChoice current) {
        return new DeadlineJob(
                timeLeft * HOUR, remaining * HOUR, 3 * MINUTE, 0, current, 10 * MINUTE);
    }

    /// A market without capacity that has had so many outages of one length.
    private static SpotHistory market(int outages, long outage, long supply) {
        SpotHistory history = SpotHistory.begin(0, false);
        long now = 0;
        for (int i = 0; i < outages; i++) {
            now += outage;
            history = history.seen(now, true);
            now += supply;
            history = history.seen(now, false);
        }
        return history;
    }

    /// A job on a random market. Spot capacity that is lost takes the work of the interval along.
    private static final class Day {
        private final Random random;
        private final List<SpotChoice> choices;
        private final long interval;
        private final long overhead;
        private final double flips;
        final long deadline;
        private long remaining;
        private long overheadLeft;

        Day(Random random) {
            this(random, new ArrayList<>());
        }

        Day(Random random, List<SpotChoice> choices) {
            this.random = random;
            this.choices = choices;
            interval = (1 + random.nextInt(15)) * MINUTE;
            overhead = random.nextInt(20) * MINUTE;
            flips = random.nextDouble() * random.nextDouble();
            remaining = (1 + random.nextInt(600)) * MINUTE;
            deadline = remaining + overhead + random.nextInt(600) * MINUTE;
        }

        long finish(DeadlineRule rule) {
            boolean has = random.nextBoolean();
            SpotHistory history = SpotHistory.begin(0, has);
            SpotChoice current = SpotChoice.WAIT;
            for (long now = 0; ; now += interval) {
                history = history.seen(now, has);
                if (!has && current == SpotChoice.SPOT) {
                    current = SpotChoice.WAIT;
                    overheadLeft = 0;
                }
                var job =
                        new DeadlineJob(
                                deadline - now,
                                remaining,
                                overhead,
                                overheadLeft,
                                current,
                                interval);
                SpotChoice next = rule.decide(now, job, PRICES, history).choice();
                choices.add(next);
                assertThat(next == SpotChoice.SPOT && !has).isFalse();
                overheadLeft = next == SpotChoice.WAIT ? 0 : overheadLeft;
                if (next != current && next != SpotChoice.WAIT) {
                    overheadLeft = overhead;
                }
                current = next;
                boolean stays = random.nextDouble() >= flips;
                if (current == SpotChoice.ON_DEMAND || current == SpotChoice.SPOT && stays) {
                    long needed = overheadLeft + remaining;
                    if (needed <= interval) {
                        return now + needed;
                    }
                    long start = Math.min(overheadLeft, interval);
                    overheadLeft -= start;
                    remaining -= interval - start;
                }
                has = stays == has;
            }
        }
    }
}
