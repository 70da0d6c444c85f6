package io.gpusched.core.policy.preempt;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Policies under which running work makes way by an order.
final class MakingWayTest {
    private static Scene under(String policy) {
        var scene = new Scene(policy);
        scene.join(aNode("n1").gpus(2).build());
        scene.tenant("team", 100, true);
        return scene;
    }

    private static JobId runs(Scene scene, int gpus, Duration limit) {
        JobId job = scene.submit(aJob().of("team").gpus(gpus).limit(limit));
        scene.runs(job);
        return job;
    }

    @Test
    void whatHasTheMostLeftMakesWayForWhatIsOverSooner() {
        Scene scene = under("srtf");
        JobId threeHours = runs(scene, 1, Duration.ofHours(3));
        JobId oneHour = runs(scene, 1, Duration.ofHours(1));
        JobId comes = scene.submit(aJob().of("team").gpus(1).limit(Duration.ofMinutes(30)));
        assertThat(scene.phase(threeHours)).isEqualTo("Stopping");
        assertThat(scene.phase(oneHour)).isEqualTo("Running");
        scene.ends(threeHours, Exit.How.STOPPED, 143);
        assertThat(scene.phase(comes)).isEqualTo("Starting");
        assertThat(scene.phase(threeHours)).isEqualTo("Waiting");
    }

    @Test
    void aJobThatIsNearlyOverIsNotStopped() {
        Scene scene = under("srtf");
        JobId first = runs(scene, 2, Duration.ofHours(1));
        scene.pass(Duration.ofMinutes(50));
        JobId comes = scene.submit(aJob().of("team").gpus(1).limit(Duration.ofMinutes(30)));
        assertThat(scene.phase(first)).isEqualTo("Running");
        assertThat(scene.phase(comes)).isEqualTo("Waiting");
    }

    @Test
    void aJobThatHasHadMuchFallsBehindByItself() {
        Scene scene = under("las");
        JobId first = runs(scene, 2, Duration.ofHours(10));
        JobId waits = scene.submit(aJob().of("team").gpus(1).limit(Duration.ofHours(10)));
        scene.pass(Duration.ofHours(2));
        assertThat(scene.phase(waits)).isEqualTo("Waiting");
        scene.pass(Duration.ofMinutes(31));
        assertThat(scene.phase(first)).isEqualTo("Stopping");
        scene.ends(first, Exit.How.STOPPED, 143);
        assertThat(scene.phase(waits)).isEqualTo("Starting");
        assertThat(scene.job(first).ran()).isGreaterThan(Duration.ofMinutes(150));
    }

    @Test
    void amongThoseThatHaveHadLittleTheOlderStays() {
        Scene scene = under("las");
        JobId first = runs(scene, 2, Duration.ofHours(10));
        scene.pass(Duration.ofMinutes(10));
        scene.submit(aJob().of("team").gpus(1).limit(Duration.ofMinutes(1)));
        assertThat(scene.phase(first)).isEqualTo("Running");
    }
}
