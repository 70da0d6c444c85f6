package io.gpusched.core.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.LearnedRuntime;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;

final class LearnerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Command.Observe run(String kind, String gpu, Duration ran) {
        return new Command.Observe(kind, gpu, ran, List.of(), Features.NONE, "somebody");
    }

    private static Engine replayed(Scene scene) {
        var twin = new Engine(scene.engine().policy(), EngineSettings.DEFAULT);
        scene.journal().replay(0, twin::apply);
        return twin;
    }

    @Test
    void anEmptyLearnerDoesNotChangeTheDigest() {
        assertThat(new Learner().digest()).isZero();
        assertThat(new Learner().image()).isEqualTo(LearnerImage.NOTHING);
    }

    @Test
    void anEngineThatIsReplayedHasLearnedTheSame() {
        var scene = new Scene("priority");
        var random = new Random(7);
        for (int i = 0; i < 200; i++) {
            Duration ran = Duration.ofMillis(random.nextLong(1, 1_000_000));
            scene.tell(run("kind-" + random.nextInt(5), "gpu-" + random.nextInt(3), ran));
        }
        scene.tell(new Command.CountScores(100, 25, 0));
        scene.tell(new Command.SetRetention(10));

        Engine engine = scene.engine();
        assertThat(engine.learner().explorationCounts()).isEqualTo(new ExplorationCounts(100, 25));
        assertThat(engine.learner().book().pairs()).hasSize(10);
        Engine replayed = replayed(scene);
        assertThat(replayed.learner().image()).isEqualTo(engine.learner().image());
        assertThat(replayed.digest()).isEqualTo(engine.digest());

        Engine restored =
                Engine.restore(
                        engine.image(),
                        engine.learner().image(),
                        engine.policy(),
                        EngineSettings.DEFAULT);
        assertThat(restored.digest()).isEqualTo(engine.digest());
        assertThat(restored.learner().image()).isEqualTo(engine.learner().image());
    }

    @Test
    void pairsThatHaveNotChangedForLongestAreForgotten() {
        var learner = new Learner();
        learner.apply(new Event.RetentionChanged(NOW, 3));
        for (String kind : List.of("a", "b", "c", "a", "d")) {
            learner.apply(
                    new Event.Observed(
                            NOW, kind, "L4", Duration.ofSeconds(1), List.of("n" + kind)));
        }
        assertThat(learner.book().pairs())
                .extracting(LearnedRuntime::kind)
                .containsExactly("c", "a", "d");
        assertThat(learner.book().kinds()).hasSize(3);
    }

    @Test
    void aMillionNamesTakeNoMoreMemoryThanTheRetention() {
        var learner = new Learner();
        for (int i = 0; i < 100_000; i++) {
            var alone = List.<String>of();
            learner.apply(new Event.Observed(NOW, "k", "g" + i, Duration.ofSeconds(1), alone));
            learner.apply(
                    new Event.Observed(
                            NOW, "k", "g" + i, Duration.ofSeconds(2), List.of("neighbour-" + i)));
        }
        assertThat(learner.book().pairs()).hasSize((int) Learner.RETENTION);
        assertThat(learner.book().slowdowns()).hasSize((int) Learner.RETENTION);
    }

    @Test
    void absurdRunsAreRefused() {
        var scene = new Scene("priority");
        for (Duration absurd :
                List.of(
                        Duration.ZERO,
                        Duration.ofSeconds(-5),
                        Duration.ofNanos(1),
                        Duration.ofDays(400))) {
            assertThat(scene.tell(run("a", "L4", absurd))).isInstanceOf(Answer.Rejected.class);
        }
        assertThat(scene.tell(run(" ", "L4", Duration.ofSeconds(1))))
                .isInstanceOf(Answer.Rejected.class);
        assertThat(scene.tell(new Command.SetRetention(0))).isInstanceOf(Answer.Rejected.class);
        assertThat(scene.tell(new Command.CountScores(1, 2, 0)))
                .isInstanceOf(Answer.Rejected.class);
        assertThat(scene.engine().learner().digest()).isZero();
    }

    @Test
    void whatIsExportedCanBeImported() {
        Lessons lessons = Lessons.heedingNeighbours();
        lessons.observe("a", "L4", 3).observe("a", "L4", 5, "b").observe("c", "T4", 7);
        var book = lessons.learner().book();
        var scene = new Scene("priority");
        scene.tell(run("a", "L4", Duration.ofSeconds(100)));
        scene.tell(
                new Command.Import(
                        book.pairs(), book.slowdowns(), List.of(), List.of(), "somebody"));

        assertThat(scene.engine().learner().book().pairs()).containsExactlyElementsOf(book.pairs());
        assertThat(scene.engine().learner().book().slowdowns())
                .containsExactlyElementsOf(book.slowdowns());
        assertThat(replayed(scene).digest()).isEqualTo(scene.engine().digest());
    }

    @Test
    void aViewDoesNotChangeWithTheTable() {
        Lessons lessons = Lessons.capped(1).observe("a", "L4", 3);
        ScoreView before = lessons.view();
        lessons.observe("a", "L4", 300);
        var types = List.of(GpuType.read("L4"));
        Score old = before.score("a", types, List.of(), 0, wants -> wants);
        assertThat(Objects.requireNonNull(old).mean()).isEqualTo(3);
        assertThat(lessons.score("a", "L4").mean()).isGreaterThan(30);
        assertThat(lessons.view().uncertainty()).isPositive();
        assertThat(lessons.view().certainty()).isBetween(0.0, 1.0);
        assertThat(lessons.view().pairs()).isPositive();
    }
}
