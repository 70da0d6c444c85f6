package io.gpusched.core.forecast;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Command;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

final class StartForecastTest {
    private static Map<JobId, StartEstimate> outlook(Scene scene, RuntimeSource runtimeSource) {
        return new StartForecast(
                        () ->
                                Objects.requireNonNull(
                                        Policies.named(
                                                "priority", EngineSettings.DEFAULT.policy())),
                        EngineSettings.DEFAULT,
                        runtimeSource,
                        20,
                        10_000)
                .from(scene.engine().image(), new RuntimeModel(), scene.now(), 1);
    }

    private static StartEstimate start(Map<JobId, StartEstimate> outlook, JobId job) {
        return Objects.requireNonNull(outlook.get(job));
    }

    @Test
    void jobsStartWhenTheOnesBeforeThemEnd() {
        Scene scene = Scene.with(aNode("n1").gpus(2).build());
        JobId running = scene.submit(aJob().gpus(2));
        scene.runs(running);
        scene.pass(Duration.ofMinutes(10));
        JobId first = scene.submit(aJob().gpus(2));
        JobId second = scene.submit(aJob().gpus(2));
        JobId never = scene.submit(aJob().gpus(4));
        long digest = scene.engine().digest();

        var outlook = outlook(scene, (job, gpu, ran, luck) -> Duration.ofMinutes(60).minus(ran));

        var at = scene.now().plus(Duration.ofMinutes(50));
        assertThat(start(outlook, first)).isEqualTo(new StartEstimate(at, at, at));
        var later = at.plus(Duration.ofMinutes(60));
        assertThat(start(outlook, second)).isEqualTo(new StartEstimate(later, later, later));
        assertThat(start(outlook, never)).isEqualTo(new StartEstimate(null, null, null));
        assertThat(outlook).doesNotContainKey(running);
        assertThat(scene.engine().digest()).as("nothing has changed").isEqualTo(digest);
    }

    @Test
    void theRangeShowsHowUncertainRuntimesAre() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        scene.runs(scene.submit(aJob()));
        JobId waits = scene.submit(aJob());
        RuntimeSource uncertain = (job, gpu, ran, luck) -> Duration.ofSeconds((long) (luck * 1000));

        StartEstimate startEstimate = start(outlook(scene, uncertain), waits);

        var now = scene.now();
        assertThat(startEstimate.early()).isBetween(now.plusSeconds(10), now.plusSeconds(300));
        assertThat(startEstimate.middle()).isBetween(now.plusSeconds(250), now.plusSeconds(750));
        assertThat(startEstimate.late()).isBetween(now.plusSeconds(700), now.plusSeconds(1000));
        assertThat(outlook(scene, uncertain).get(waits))
                .as("the same again")
                .isEqualTo(startEstimate);
    }

    @Test
    void whoIsMoreImportantStartsFirstAlsoAhead() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        scene.runs(scene.submit(aJob()));
        JobId low = scene.submit(aJob().priority(1));
        JobId high = scene.submit(aJob().priority(900));
        var outlook = outlook(scene, (job, gpu, ran, luck) -> Duration.ofMinutes(5));
        assertThat(start(outlook, high).middle()).isEqualTo(scene.now().plusSeconds(300));
        assertThat(start(outlook, low).middle()).isEqualTo(scene.now().plusSeconds(600));
    }

    /// The quota lets the second job of the team start when the first has ended; the job that runs
    /// where it must go is preempted then, and not when it would have ended by itself.
    ///
    ///     n1   first of the team, 60 min |
    ///     n2   weak job, 10 h ───────────| preempted: second of the team
    @Test
    void aJobThatPreemptsAnotherStartsAsSoonAsThatHasLeft() {
        Scene scene =
                Scene.with(
                        aNode("n1").gpus(1).model("T4").build(),
                        aNode("n2").gpus(1).model("H100-80GB").build());
        scene.tenant("team", 1, false);
        scene.tenant("weak", 8, true);
        scene.runs(scene.submit(aJob().of("team").priority(900).model("T4")));
        JobId weak = scene.submit(aJob().of("weak").model("H100-80GB").kind("long"));
        scene.runs(weak);
        JobId second = scene.submit(aJob().of("team").priority(900).model("H100-80GB"));

        var outlook =
                outlook(
                        scene,
                        (job, gpu, ran, luck) ->
                                Duration.ofHours(job.id().equals(weak) ? 10 : 1).minus(ran));

        var at = scene.now().plus(Duration.ofHours(1));
        assertThat(start(outlook, second)).isEqualTo(new StartEstimate(at, at, at));
    }

    private static final EngineSettings BY_WHAT_WAS_LEARNED =
            EngineSettings.builder()
                    .policy(
                            PolicySettings.DEFAULT.with(
                                    PlacementSettings.DEFAULT.withPlacer("learned")))
                    .maxWaiting(1000)
                    .build();

    /// Two nodes become free at once. The first in line is known to be fast on the second of them,
    /// so whoever must go there comes after it.
    ///
    ///     a-slow   running 60 min |
    ///     b-fast   running 60 min | first 60 min | second, which takes no other
    @Test
    void aheadJobsArePlacedByWhatWasLearnedAndNothingIsLearnedFromIt() {
        var scene = new Scene("priority", BY_WHAT_WAS_LEARNED);
        scene.join(
                aNode("a-slow").gpus(1).model("T4").build(),
                aNode("b-fast").gpus(1).model("H100-80GB").build());
        scene.runs(scene.submit(aJob().model("T4")));
        scene.runs(scene.submit(aJob().model("H100-80GB")));
        for (int i = 0; i < 10; i++) {
            observe(scene, "T4", Duration.ofMinutes(100));
            observe(scene, "H100-80GB", Duration.ofMinutes(5));
        }
        JobId first = scene.submit(aJob().kind("training"));
        JobId second = scene.submit(aJob().model("H100-80GB"));
        RuntimeModel model = scene.engine().learner().model();
        var before = model.image();

        var ahead =
                new StartForecast(
                                () -> byWhatWasLearned(),
                                BY_WHAT_WAS_LEARNED,
                                (job, gpu, ran, luck) -> Duration.ofMinutes(60).minus(ran),
                                5,
                                10_000)
                        .from(scene.engine().image(), model, scene.now(), 1);

        var free = scene.now().plus(Duration.ofMinutes(60));
        var later = free.plus(Duration.ofMinutes(60));
        assertThat(start(ahead, first)).isEqualTo(new StartEstimate(free, free, free));
        assertThat(start(ahead, second)).isEqualTo(new StartEstimate(later, later, later));
        assertThat(model.image()).as("what is only drawn teaches nothing").isEqualTo(before);
    }

    private static Policy byWhatWasLearned() {
        return Objects.requireNonNull(Policies.named("priority", BY_WHAT_WAS_LEARNED.policy()));
    }

    private static void observe(Scene scene, String gpu, Duration ran) {
        scene.tell(
                new Command.Observe(
                        "training", gpu, ran, List.of(), new Features(1, 0, 0, 0), "tester"));
    }
}
