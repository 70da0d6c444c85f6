package io.gpusched.server.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.metrics.ScoreMeters;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

final class ChoiceCountRecorderTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /// The recorded counts, which survive a crash.
    private Engine record = engine();

    private int records;

    private Answer record(Command command) {
        records++;
        Answer answer = record.answer(command, NOW);
        if (answer instanceof Answer.Accepted accepted) {
            accepted.events().forEach(record::apply);
        }
        return answer;
    }

    private static Engine engine() {
        return new Engine(
                Objects.requireNonNull(Policies.named("priority", EngineSettings.DEFAULT.policy())),
                EngineSettings.DEFAULT);
    }

    private ScoreService scores(ScoreSettings settings) {
        return new ScoreService(settings, record.learner(), new ScoreMeters(new Meters()));
    }

    @Test
    void theCapHoldsHoweverOftenTheProcessIsKilled() {
        for (long seed = 1; seed <= 40; seed++) {
            var random = new Random(seed);
            var settings = ScoreSettings.DEFAULT.withCap(random.nextInt(1, 10) / 10.0);
            record = engine();
            long total = 0;
            long explored = 0;
            for (int life = 0; life < 6; life++) {
                ScoreService scores = scores(settings);
                var keeper = new ChoiceCountRecorder(scores, this::record);
                int choices = random.nextInt(400);
                for (int i = 0; i < choices; i++) {
                    total++;
                    explored += scores.counts().decide(random.nextInt(3) > 0) ? 1 : 0;
                    if (random.nextInt(50) == 0 || (keeper.wantsMore() && random.nextBoolean())) {
                        keeper.keep();
                    }
                }
                if (random.nextInt(3) == 0) {
                    keeper.start();
                    keeper.close();
                }
                assertThat(explored)
                        .as("seed %s, life %s", seed, life)
                        .isLessThanOrEqualTo(settings.mayExplore(total));
            }
        }
    }

    @Test
    void afterACleanStopNothingIsInDoubt() {
        ScoreService scores = scores(ScoreSettings.DEFAULT);
        var keeper = new ChoiceCountRecorder(scores, this::record);
        for (int i = 0; i < 400; i++) {
            scores.counts().decide(true);
            if (keeper.wantsMore()) {
                keeper.keep();
            }
        }
        keeper.start();
        keeper.close();
        assertThat(record.learner().explorationCounts())
                .isEqualTo(new ExplorationCounts(400, 100, 0));
        assertThat(records).as("blocks, not scores, are recorded").isLessThan(8);
    }

    @Test
    void withoutExplorationNothingIsReserved() {
        ScoreService scores = scores(ScoreSettings.DEFAULT);
        var keeper = new ChoiceCountRecorder(scores, this::record);
        scores.counts().decide(false);
        keeper.keep();
        assertThat(record.learner().explorationCounts()).isEqualTo(new ExplorationCounts(1, 0, 0));
        for (int i = 0; i < 1000; i++) {
            scores.counts().decide(true);
            if (keeper.wantsMore()) {
                keeper.keep();
            }
        }
        assertThat(scores.explorationCounts().explored()).isEqualTo(251);
        for (int i = 0; i < 10; i++) {
            keeper.keep();
        }
        assertThat(record.learner().explorationCounts().reserved())
                .as("a few")
                .isLessThanOrEqualTo(16);
    }

    @Test
    @Timeout(60)
    void aScoreNeverWaitsForTheRecord() throws InterruptedException {
        ScoreService scores = scores(ScoreSettings.DEFAULT);
        var asked = new CountDownLatch(1);
        var mayAnswer = new CountDownLatch(1);
        var keeper =
                new ChoiceCountRecorder(
                        scores,
                        command -> {
                            asked.countDown();
                            await(mayAnswer); // The store does not answer for a while.
                            record(command);
                        });
        assertThat(scores.counts().decide(true)).as("nothing is reserved").isFalse();
        Thread recording = Thread.ofPlatform().start(keeper::keep);
        asked.await();
        for (int i = 0; i < 100; i++) {
            assertThat(scores.counts().decide(true)).isFalse();
        }
        mayAnswer.countDown();
        recording.join();
        assertThat(scores.counts().decide(true)).as("now some are reserved").isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void countsThatCannotBeAreRefused() {
        assertThat(record(new Command.CountScores(1, 1, -1))).isInstanceOf(Answer.Rejected.class);
    }
}
