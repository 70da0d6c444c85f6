package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;

/// Runs that go on past the end that was expected of them.
final class OverrunTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aRunPastItsExpectedEndIsExpectedToTakeTwiceAsLong() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        JobId job = scene.submit(aJob().gpus(1).expecting(HOUR, HOUR).limit(HOUR.multipliedBy(9)));
        scene.runs(job);
        Instant start = scene.now();
        assertThat(expectedEnd(scene, job)).isEqualTo(start.plus(HOUR));
        scene.pass(Duration.ofMinutes(61));
        scene.submit(aJob().gpus(1));
        assertThat(expectedEnd(scene, job)).isEqualTo(start.plus(HOUR.multipliedBy(2)));
        scene.pass(HOUR.multipliedBy(4));
        scene.submit(aJob().gpus(1));
        assertThat(expectedEnd(scene, job))
                .as("eight hours, at most its limit")
                .isEqualTo(start.plus(HOUR.multipliedBy(8)));
        scene.pass(HOUR.multipliedBy(4));
        scene.submit(aJob().gpus(1));
        assertThat(expectedEnd(scene, job)).isEqualTo(start.plus(HOUR.multipliedBy(9)));
        scene.completes(job);
        assertThat(scene.engine().state().runs().byExpectedEnd()).hasSize(1);
    }

    /// What it guards against is a round that never ends.
    @Test
    @Timeout(value = 60, threadMode = SEPARATE_THREAD)
    void anExpectedEndBetweenTwoMicrosecondsIsPassedToo() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        Duration odd = HOUR.plusNanos(300);
        JobId job = scene.submit(aJob().gpus(1).expecting(odd, odd).limit(HOUR.multipliedBy(9)));
        scene.runs(job);
        Instant start = scene.now();
        scene.pass(HOUR);
        scene.submit(aJob().gpus(1));
        assertThat(expectedEnd(scene, job)).isEqualTo(start.plus(odd.multipliedBy(2)));
    }

    @Test
    void theReservationIsOnTheNodeThatIsLikelyFreeFirst() {
        Scene scene = Scene.with(aNode("n1").gpus(2).build(), aNode("n2").gpus(2).build());
        JobId late =
                scene.submit(
                        aJob().gpus(2)
                                .expecting(HOUR, HOUR.multipliedBy(3))
                                .limit(Duration.ofDays(7)));
        JobId other = scene.submit(aJob().gpus(2).limit(HOUR.multipliedBy(4)));
        scene.runs(late);
        scene.runs(other);
        scene.pass(HOUR.multipliedBy(3).plusMinutes(5));
        scene.submit(aJob().gpus(2));
        Claim claim = scene.engine().state().claims().getFirst();
        assertThat(claim.slots().getFirst().node().toString()).isEqualTo(nodeOf(scene, other));
    }

    @Test
    void anEngineRestoredFromAnImageExpectsTheSame() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        JobId job = scene.submit(aJob().gpus(1).expecting(HOUR, HOUR));
        scene.runs(job);
        scene.pass(HOUR.multipliedBy(3));
        scene.submit(aJob().gpus(1));
        Engine engine = scene.engine();
        Engine again = Engine.restore(engine.image(), engine.policy(), EngineSettings.DEFAULT);
        again.begin(scene.now()).end();
        assertThat(again.state().runs().expectedEnd(scene.job(job)))
                .isEqualTo(expectedEnd(scene, job));
    }

    private static Instant expectedEnd(Scene scene, JobId job) {
        return scene.engine().state().runs().expectedEnd(scene.job(job));
    }

    private static String nodeOf(Scene scene, JobId job) {
        return scene.run(job).on().slots().getFirst().node().toString();
    }
}
