package io.gpusched.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

/// What each condition finds in pictures of a small cluster.
final class AlertConditionTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final AlertCluster cluster = new AlertCluster().tenant("a").tenant("b");

    private static Finding only(List<Finding> findings) {
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    @Test
    void jobsThatWaitTooLongAreOneFindingForEachTenant() {
        JobId first = cluster.submit("a", 1, 1);
        cluster.after(Duration.ofMinutes(1)).submit("a", 1, 1);
        JobId held = cluster.submit("b", 1, 1);
        cluster.hold(held);
        cluster.after(HOUR).submit("b", 1, 1);

        Finding found = only(new PendingTooLong(HOUR).evaluate(cluster.picture()));

        assertThat(found.subject().key()).isEqualTo("tenant a");
        assertThat(found.subject().job()).isEqualTo(first);
        assertThat(found.value()).isEqualTo(3660);
        assertThat(found.message())
                .isEqualTo(
                        "2 jobs of tenant a waited longer than 1 h; job-1 has waited longest: 1 h 1"
                                + " min");
        assertThat(found.remedy()).contains("gpu-cli explain job-1");
    }

    @Test
    void aShortWaitIsNotTooLong() {
        cluster.submit("a", 1, 1);
        assertThat(new PendingTooLong(HOUR).evaluate(cluster.after(HOUR.minusSeconds(1)).picture()))
                .isEmpty();
    }

    @Test
    void aJobStarvesThatWaitsFarLongerThanOthers() {
        var starvation = new Starvation(10, Duration.ofMinutes(30), Duration.ofHours(24));
        JobId wide = cluster.submit("a", 1, 8);
        cluster.join("n1", 4);
        cluster.after(Duration.ofMinutes(29));
        for (int i = 0; i < RecentActivity.FEWEST_WAITS; i++) {
            JobId small = cluster.submit("b", 1, 1);
            cluster.finish(small);
        }
        assertThat(starvation.evaluate(cluster.picture())).isEmpty();
        cluster.after(Duration.ofMinutes(1));

        Finding found = only(starvation.evaluate(cluster.picture()));

        assertThat(found.subject().job()).isEqualTo(wide);
        assertThat(found.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(found.threshold()).isEqualTo(1800);
        assertThat(found.message()).contains("job-1 of tenant a has waited 30 min");
    }

    @Test
    void withoutOtherStartsOnlyTheStarvationBoundCounts() {
        var starvation = new Starvation(10, Duration.ofMinutes(30), Duration.ofHours(24));
        cluster.submit("a", 1, 8);
        assertThat(starvation.evaluate(cluster.after(Duration.ofHours(23)).picture())).isEmpty();
        Finding found = only(starvation.evaluate(cluster.after(HOUR).picture()));
        assertThat(found.message()).contains("the starvation bound is 1 d");
    }

    @ParameterizedTest
    @CsvSource({
        "100, 9, CLEAR", // too few to tell
        "100, 10, CLEAR",
        "100, 28, NEAR",
        "100, 31, EXCEEDED",
        "0, 12, EXCEEDED",
    })
    void preemptionsAreComparedWithPlacements(long placed, long preempted, Finding.Level level) {
        AlertPicture picture =
                with(new RecentActivity.Figures(placed, preempted, Double.NaN, Double.NaN));
        List<Finding> found = new PreemptionRate(0.3, 10).evaluate(picture);
        assertThat(found.isEmpty() ? Finding.Level.CLEAR : only(found).level()).isEqualTo(level);
    }

    private AlertPicture with(RecentActivity.Figures recent) {
        AlertPicture picture = cluster.picture();
        return new AlertPicture(
                picture.at(),
                picture.view(),
                picture.readings(),
                picture.queueAges(),
                picture.fragmentedCapacity(),
                recent,
                picture.store(),
                picture.learning());
    }

    @Test
    void scatteredGpusThatWouldDoInSumAreFragmented() {
        cluster.join("n1", 4).join("n2", 4);
        for (int i = 0; i < 2; i++) {
            cluster.submit("a", 1, 3);
        }
        cluster.submit("a", 1, 2);

        assertThat(cluster.picture().fragmentedCapacity())
                .isEqualTo(new FragmentedCapacity(2, 8, 1, 2));
        Finding found = only(new ScatteredGpus(0.2).evaluate(cluster.picture()));
        assertThat(found.level()).isEqualTo(Finding.Level.EXCEEDED);
        assertThat(found.value()).isEqualTo(0.25);
        assertThat(found.remedy()).contains("gpu-cli defrag");
    }

    @Test
    void aFullClusterIsNotFragmented() {
        cluster.join("n1", 4);
        cluster.submit("a", 1, 4);
        cluster.submit("a", 1, 4);
        assertThat(cluster.picture().fragmentedCapacity().fragmentedGpus()).isZero();
        assertThat(new ScatteredGpus(0.1).evaluate(cluster.picture())).isEmpty();
    }

    @Test
    void gpusThatAnotherWaitingJobCanUseAreNotFragmented() {
        cluster.join("n1", 4).join("n2", 4);
        cluster.submit("a", 1, 3);
        cluster.submit("a", 1, 3);
        cluster.submit("a", 1, 2);
        var capacity = cluster.picture().fragmentedCapacity();
        assertThat(capacity.blocked()).isEqualTo(1);
        cluster.handle(new Command.Cordon(new NodeId("n1"), "test"));
        assertThat(cluster.picture().fragmentedCapacity().blocked()).isZero();
    }

    @Test
    void aNodeThatDoesNotAnswerIsFoundUnlessItWasDrained() {
        cluster.join("n1", 4).join("n2", 4).join("n3", 4);
        cluster.handle(new Command.Cordon(new NodeId("n3"), "test"));
        cluster.silence("n1");
        cluster.silence("n2");
        cluster.lose("n2");
        cluster.silence("n3");

        List<Finding> found = new NodeLost().evaluate(cluster.picture());

        assertThat(found)
                .extracting(one -> one.subject().key())
                .containsExactly("node n1", "node n2");
        assertThat(found)
                .extracting(Finding::severity)
                .containsExactly(Severity.WARNING, Severity.CRITICAL);
    }

    @Test
    void aNodeThatRefusesOneJobAfterTheOtherIsABlackHole() {
        cluster.join("bad", 4);
        var jobs =
                List.of(
                        cluster.submit("a", 1, 1),
                        cluster.submit("a", 1, 1),
                        cluster.submit("a", 1, 1));
        cluster.join("good", 4);
        for (JobId job : jobs) {
            cluster.refuse(job);
            cluster.after(Duration.ofMinutes(2)).handle();
            cluster.start(job);
        }

        Finding found = only(new BlackHoleNode(3).evaluate(cluster.picture()));

        assertThat(found.subject().key()).isEqualTo("node bad");
        assertThat(found.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(found.message()).contains("refused to start 3 jobs").contains("cordoned it");
        assertThat(found.remedy()).contains("gpu-cli uncordon bad");
    }

    @Test
    void hotGpusAreFoundWithTheirTemperature() {
        cluster.join("n1", 4);
        cluster.heat("n1", 0, Heat.WARM);
        assertThat(new HotGpus(1, 75).evaluate(cluster.picture())).isEmpty();
        cluster.heat("n1", 1, Heat.HOT);
        Finding found = only(new HotGpus(1, 75).evaluate(cluster.picture()));
        assertThat(found.message())
                .isEqualTo(
                        "1 GPU of node n1 is hot (limit 75 °C), hottest now 91.5 °C; new jobs avoid"
                                + " hot GPUs");
        assertThat(new HotGpus(2, 75).evaluate(cluster.picture())).isEmpty();
    }

    @Test
    void aSlowOrSilentStoreIsJournalLag() {
        var lag = new JournalLag(Duration.ofMillis(250));
        assertThat(lag.evaluate(cluster.picture())).isEmpty();
        cluster.recentActivity.appended(Duration.ofMillis(400).toNanos());
        cluster.recentActivity.appended(Duration.ofMillis(200).toNanos());
        Finding slow = only(lag.evaluate(cluster.picture()));
        assertThat(slow.level()).isEqualTo(Finding.Level.EXCEEDED);
        assertThat(slow.severity()).isEqualTo(Severity.WARNING);
        assertThat(slow.value()).isEqualTo(0.3);
        assertThat(lag.evaluate(cluster.after(Duration.ofMinutes(6)).picture())).isEmpty();

        var silent = new AlertPicture.Store(11, "the disk is full");
        Finding found = only(lag.evaluate(cluster.picture(silent, AlertCluster.NOTHING_LEARNED)));
        assertThat(found.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(found.message()).contains("11 s").contains("the disk is full");
    }

    @ParameterizedTest
    @CsvSource({
        "99, 0.9, CLEAR", // too few choices
        "100, 0.19, CLEAR",
        "100, 0.21, NEAR",
        "100, 0.23, EXCEEDED",
    })
    void explorationsAreComparedWithTheCap(long choices, double explored, Finding.Level level) {
        var learning =
                new AlertPicture.Learning(choices, explored, 0.2, Double.NaN, 0, Double.NaN, 0);
        assertThat(level(new ExplorationRatio(0.02), learning)).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"4, 0.1, CLEAR", "5, 0.49, EXCEEDED", "5, 0.52, NEAR", "5, 0.8, CLEAR"})
    void certaintyMustNotBeTooLow(long pairs, double certainty, Finding.Level level) {
        var learning = new AlertPicture.Learning(0, 0, 0.2, certainty, pairs, Double.NaN, 0);
        assertThat(level(new LowCertainty(0.5), learning)).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"49, 0.1, CLEAR", "50, 0.59, EXCEEDED", "50, 0.65, NEAR", "50, 0.9, CLEAR"})
    void coverageMustNotBeTooLow(double judged, double coverage, Finding.Level level) {
        var learning = new AlertPicture.Learning(0, 0, 0.2, Double.NaN, 0, coverage, judged);
        assertThat(level(new ForecastCoverage(0.6), learning)).isEqualTo(level);
    }

    private Finding.Level level(AlertCondition condition, AlertPicture.Learning learning) {
        List<Finding> found = condition.evaluate(cluster.picture(AlertCluster.HEALTHY, learning));
        return found.isEmpty() ? Finding.Level.CLEAR : only(found).level();
    }
}
