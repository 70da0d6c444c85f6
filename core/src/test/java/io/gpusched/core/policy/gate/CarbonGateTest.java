package io.gpusched.core.policy.gate;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RetryConditions.at;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class CarbonGateTest {
    private static final Duration SLACK = Duration.ofHours(2);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final double[] GRAMS = {300, 280, 120, 110, 260, 110, 120};

    private final TestCluster cluster = aCluster("n1: 8×A100");
    private final Instant from = cluster.now();
    private final CarbonGate gate = gate(GRAMS, from);

    private static CarbonGate gate(double[] grams, Instant from) {
        var forecast = new CarbonForecast(from, Duration.ofMinutes(30), grams);
        return new CarbonGate(forecast, SLACK, 100, HOUR);
    }

    private static String cleanerFrom(Instant start, int grams, int now) {
        return "power is expected to be cleaner from %s: %d instead of %d g/kWh"
                .formatted(start, grams, now);
    }

    @Test
    void aJobWaitsForTheSlotsThatCostTheLeastTogether() {
        assertThat(gate)
                .on(aJob().limit(HOUR), cluster)
                .holdsBack(cleanerFrom(from.plus(HOUR), 115, 290))
                .by("carbon")
                .liftedBy(at(from.plus(HOUR)));
        assertThat(gate)
                .on(aJob().limit(Duration.ofMinutes(30)), cluster)
                .holdsBack(cleanerFrom(from.plus(Duration.ofMinutes(90)), 110, 300));
    }

    @Test
    void aBegunSlotCountsAsAWholeOne() {
        assertThat(gate)
                .on(aJob().limit(Duration.ofMinutes(31)), cluster)
                .holdsBack(cleanerFrom(from.plus(HOUR), 115, 290));
    }

    @Test
    void aJobPassesWhenItsTimeHasCome() {
        JobId job = cluster.waiting(aJob().limit(HOUR));
        cluster.pass(HOUR.minusSeconds(1));
        assertThat(gate).on(job, cluster).holdsBack(cleanerFrom(from.plus(HOUR), 115, 200));
        cluster.pass(Duration.ofSeconds(1));
        assertThat(gate).on(job, cluster).letsPass();
    }

    @Test
    void aJobIsHeldBackForItsSlackAtMost() {
        JobId job = cluster.waiting(aJob().limit(Duration.ofMinutes(30)));
        cluster.pass(SLACK);
        assertThat(gate).on(job, cluster).letsPass();
        assertThat(gate)
                .on(aJob().limit(Duration.ofMinutes(30)), cluster)
                .holdsBack(cleanerFrom(from.plus(Duration.ofMinutes(150)), 110, 260));
    }

    @Test
    void importantJobsAreNotHeldBack() {
        assertThat(gate).on(aJob().priority(101), cluster).letsPass();
        assertThat(gate)
                .on(aJob().priority(100), cluster)
                .holdsBack(cleanerFrom(from.plus(HOUR), 115, 290));
    }

    @Test
    void whereNothingIsExpectedTheAssumedLengthCounts() {
        assertThat(gate)
                .on(aJob().limit(Duration.ZERO), cluster)
                .holdsBack(cleanerFrom(from.plus(HOUR), 115, 290));
    }

    @Test
    void ofEqualStartsTheFirstIsTaken() {
        assertThat(gate(new double[] {100, 100, 100, 100, 100, 100, 100}, from))
                .on(aJob(), cluster)
                .letsPass();
    }

    @Test
    void outsideTheForecastNoJobIsHeldBack() {
        assertThat(gate(GRAMS, from.plusSeconds(1))).on(aJob(), cluster).letsPass();
        cluster.pass(Duration.ofDays(1));
        assertThat(gate).on(aJob(), cluster).letsPass();
    }

    @Test
    void jobsOfDifferentLengthsAreTreatedDifferently() {
        assertThat(gate.goesByLength()).isTrue();
    }
}
