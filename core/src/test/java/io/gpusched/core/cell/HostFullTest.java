package io.gpusched.core.cell;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

/// GPUs are free, but not the cores or the memory beside them.
final class HostFullTest {
    @Test
    void whoFindsTooLittleMemoryWaitsUntilItIsFree() {
        Scene scene = Scene.with(aNode("n1").memoryMiB(1000).build());
        waitsForTheFirst(scene, aJob().memoryMiB(600), "memory", "not enough free memory");
    }

    @Test
    void whoFindsTooFewCoresWaitsUntilTheyAreFree() {
        Scene scene = Scene.with(aNode("n1").cores(10).build());
        waitsForTheFirst(scene, aJob().cores(6), "cpu", "not enough free CPU cores");
    }

    @Test
    void allOfTheMemoryMayBeUsed() {
        Scene scene = Scene.with(aNode("n1").memoryMiB(1000).build());
        scene.submit(aJob().memoryMiB(600));
        assertThat(scene.where(scene.submit(aJob().memoryMiB(400)))).isEqualTo("n1[1]");
        assertThat(scene.phase(scene.submit(aJob().memoryMiB(1)))).isEqualTo("Waiting");
    }

    private static void waitsForTheFirst(Scene scene, JobBuilder job, String by, String why) {
        JobId first = scene.submit(job);
        assertThat(scene.phase(first)).isEqualTo("Starting");
        JobId second = scene.submit(job);
        assertThat(scene.phase(second)).isEqualTo("Waiting");
        var explained = scene.explainer().explain(second);
        assertThat(explained.summary()).endsWith(": " + why);
        assertThat(explained.reasons())
                .extracting(r -> r.refusal().by(), r -> r.refusal().why(), r -> r.nodes())
                .containsExactly(tuple(by, why, 1));
        scene.completes(first);
        assertThat(scene.phase(second)).isEqualTo("Starting");
    }
}
