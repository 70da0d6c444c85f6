package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// Nobody may pass the first in line, and who that is changes while they wait.
final class StrictByTimeTest {
    @Test
    void whoBecomesTheFirstByWaitingStartsThen() {
        var scene = new Scene("wfp3-strict");
        scene.join(aNode("n1").build());
        Instant begin = scene.now();
        scene.runs(scene.submit(aJob().gpus(6).limit(Duration.ofHours(20))));
        JobId large = scene.submit(aJob().gpus(4).limit(Duration.ofHours(10)));
        scene.pass(Duration.ofMinutes(60));
        JobId small = scene.submit(aJob().gpus(2).limit(Duration.ofMinutes(10)));
        assertThat(scene.phase(small)).as("behind the large one").isEqualTo("Waiting");
        scene.pass(Duration.ofMinutes(30));
        assertThat(scene.phase(large)).isEqualTo("Waiting");
        assertThat(scene.run(small).placed())
                .as("two minutes are more of its ten than 62 of ten hours")
                .isEqualTo(begin.plus(Duration.ofMinutes(62)));
    }
}
