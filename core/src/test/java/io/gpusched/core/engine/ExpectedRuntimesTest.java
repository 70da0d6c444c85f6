package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.explain.Preview;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.RuntimeExpectation;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// What is expected of runtimes, put to use.
final class ExpectedRuntimesTest {
    private static Scene scene(String policy, int gpus) {
        var scene = new Scene(policy, EngineSettings.DEFAULT);
        scene.join(aNode("n1").gpus(gpus).build());
        return scene;
    }

    private static JobBuilder minutes(int usual) {
        Duration length = Duration.ofMinutes(usual);
        return aJob().limit(Duration.ZERO).expecting(length, length);
    }

    @Test
    void jobsThatShouldEndInTimePassTheReservation() {
        Scene scene = scene("fifo", 4);
        scene.runs(scene.submit(minutes(60).gpus(3)));
        JobId large = scene.submit(minutes(60).gpus(4));
        JobId longer = scene.submit(minutes(90));
        JobId shorter = scene.submit(minutes(30));
        assertThat(scene.phase(large)).isEqualTo("Waiting");
        assertThat(scene.phase(longer)).as("it would delay the large one").isEqualTo("Waiting");
        assertThat(scene.phase(shorter)).isEqualTo("Starting");
    }

    @Test
    void aLimitIsNeverExceededByWhatIsExpected() {
        var spec = minutes(60).limit(Duration.ofMinutes(5)).spec();
        assertThat(spec.planned(Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(5));
        assertThat(aJob().limit(Duration.ZERO).spec().planned(Duration.ofDays(1)))
                .isEqualTo(Duration.ofDays(1));
    }

    @Test
    void theShortestPassButTheOldestKeepsItsPlace() {
        Scene scene = scene("spf", 4);
        JobId running = scene.submit(minutes(60).gpus(3));
        scene.runs(running);
        JobId oldest = scene.submit(minutes(500).gpus(4));
        JobId longer = scene.submit(minutes(50));
        JobId shorter = scene.submit(minutes(10));
        assertThat(scene.phase(longer)).isEqualTo("Starting");
        assertThat(scene.phase(shorter)).isEqualTo("Waiting");
        scene.completes(longer);
        assertThat(scene.phase(shorter)).isEqualTo("Starting");
        JobId later = scene.submit(minutes(1).gpus(3));
        scene.completes(running);
        assertThat(scene.phase(later)).as("ends before the short one does").isEqualTo("Starting");
        scene.completes(later);
        scene.completes(shorter);
        assertThat(scene.phase(oldest)).isEqualTo("Starting");
    }

    @Test
    void theOldestIsReservedForAlsoWhenShorterOnesWereRefusedBefore() {
        Scene scene = scene("spf", 2);
        JobId first = scene.submit(minutes(10).gpus(2));
        scene.runs(first);
        JobId second = scene.submit(minutes(100).gpus(2));
        JobId third = scene.submit(minutes(1).gpus(2));
        scene.completes(first);
        assertThat(scene.phase(second)).isEqualTo("Starting");
        assertThat(scene.phase(third)).isEqualTo("Waiting");
    }

    @Test
    void whoEndsSoonAnywayIsNotStopped() {
        Scene scene = scene("priority", 2);
        scene.tenant("low", 100, true);
        JobId soon = scene.submit(minutes(10).of("low").priority(1));
        JobId late = scene.submit(minutes(90).of("low").priority(5));
        scene.runs(soon);
        scene.runs(late);
        scene.pass(Duration.ofSeconds(9 * 60 + 45));
        JobId high = scene.submit(aJob().priority(900));
        assertThat(scene.phase(soon)).as("15 s left, 30 s to stop").isEqualTo("Running");
        assertThat(scene.phase(late)).startsWith("Stopping");
        assertThat(scene.phase(high)).isEqualTo("Waiting");
    }

    @Test
    void whoGoesOnThoughItShouldHaveEndedIsStoppedAfterAll() {
        Scene scene = scene("priority", 1);
        scene.tenant("low", 100, true);
        JobId soon = scene.submit(minutes(10).of("low").priority(1));
        scene.runs(soon);
        scene.pass(Duration.ofSeconds(9 * 60 + 45));
        scene.submit(aJob().priority(900));
        assertThat(scene.phase(soon)).isEqualTo("Running");
        scene.pass(Duration.ofSeconds(20));
        assertThat(scene.phase(soon)).startsWith("Stopping");
    }

    @Test
    void nearlyEqualGuessesAreTheSameGuess() {
        assertThat(RuntimeExpectation.seconds(100, 200))
                .isEqualTo(RuntimeExpectation.seconds(101, 201));
        assertThat(RuntimeExpectation.seconds(100, 90).most())
                .isEqualTo(RuntimeExpectation.seconds(100, 100).most());
        assertThat(RuntimeExpectation.seconds(0, Double.POSITIVE_INFINITY).usual().toSeconds())
                .isEqualTo(1);
    }

    private static JobId ran(Scene scene, JobBuilder job, Duration length) {
        JobId id = scene.submit(job);
        scene.runs(id);
        scene.pass(length);
        scene.completes(id);
        return id;
    }

    private static JobBuilder large() {
        return aJob().kind("large").asking(GpuRequest.whole(1, 80_000)).limit(Duration.ZERO);
    }

    /// Most GPUs are of a model it never runs on; what it did elsewhere counts all the same.
    @Test
    void whatAKindDidOnOneModelIsExpectedOfItOnAMixedFleet() {
        var scene = new Scene("fifo", EngineSettings.DEFAULT.with(PredictionSettings.USED));
        scene.join(
                aNode("common").gpus(8).model("T4-16GB").build(),
                aNode("rare").gpus(1).model("H100-80GB").build());
        for (int i = 0; i < 5; i++) {
            ran(scene, large(), Duration.ofMinutes(10));
        }
        var submit = new Command.Submit(large().spec(), "", 0, false, "test");
        var preview = (Preview.Accepted) scene.explainer().preview(submit);
        assertThat(preview.job().spec().runtimeExpectation().isKnown())
                .as("a dry run knows too")
                .isTrue();
        JobId next = scene.submit(large());
        RuntimeExpectation runtimeExpectation = scene.job(next).spec().runtimeExpectation();
        assertThat(runtimeExpectation.isKnown()).isTrue();
        assertThat(runtimeExpectation.usual())
                .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(20));
    }

    @Test
    void aPolicyThatGoesByWhatIsExpectedIsGivenItAlsoWhenChosenLater() {
        var scene = new Scene("fifo", EngineSettings.DEFAULT.with(PredictionSettings.AS_NEEDED));
        scene.join(aNode("n1").gpus(1).build());
        ran(scene, aJob().kind("train"), Duration.ofMinutes(10));
        assertThat(expects(scene)).as("nothing was set").isFalse();
        scene.tell(new Command.SetPolicy("spf", "test"));
        ran(scene, aJob().kind("train"), Duration.ofMinutes(10));
        assertThat(expects(scene)).isTrue();
        scene.tell(new Command.SetPolicy("fifo", "test"));
        assertThat(expects(scene)).as("as it was set").isFalse();
    }

    private static boolean expects(Scene scene) {
        var submit = new Command.Submit(aJob().kind("train").spec(), "", 0, false, "test");
        var preview = (Preview.Accepted) scene.explainer().preview(submit);
        return preview.job().spec().runtimeExpectation().isKnown();
    }

    /// Left out, the model would believe that all of them are short.
    @Test
    void aRunThatWasStoppedAtItsLimitTeachesHowLongItTook() {
        var scene = new Scene("fifo", EngineSettings.DEFAULT.with(PredictionSettings.USED));
        scene.join(aNode("n1").gpus(1).build());
        JobId id = scene.submit(aJob().kind("long").limit(Duration.ofMinutes(5)));
        scene.runs(id);
        scene.pass(Duration.ofMinutes(6));
        scene.ends(id, Exit.How.TIMEOUT, 143);
        assertThat(scene.phase(id)).contains("timeout");
        assertThat(scene.engine().learner().model().usualGpu("long")).isNotNull();
    }
}
