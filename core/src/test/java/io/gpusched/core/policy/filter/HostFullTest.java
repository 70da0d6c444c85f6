package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.capacity;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

/// GPUs are free, but not the cores or the memory beside them.
final class HostFullTest {
    private final HostFull filter = new HostFull();

    @Test
    void theLastFreeCoresAreEnoughAndOneMoreIsNot() {
        var node = aNode("n1").cores(10).running(aJob().gpus(0).cores(6), "");
        assertThat(filter).on(aShape().cores(4), node).accepts();
        assertThat(filter)
                .on(aShape().cores(5), node)
                .refuses("not enough free CPU cores")
                .by("cpu")
                .liftedBy(capacity());
    }

    @Test
    void theLastFreeMemoryIsEnoughAndOneMoreIsNot() {
        var node = aNode("n1").memoryMiB(1000).running(aJob().gpus(0).memoryMiB(600), "");
        assertThat(filter).on(aShape().memoryMiB(400), node).accepts();
        assertThat(filter)
                .on(aShape().memoryMiB(401), node)
                .refuses("not enough free memory")
                .by("memory")
                .liftedBy(capacity());
    }

    @Test
    void coresAreToldBeforeMemory() {
        assertThat(filter)
                .on(aShape().cores(2).memoryMiB(2), aNode("n1").cores(1).memoryMiB(1))
                .refuses("not enough free CPU cores");
    }

    @Test
    void aJobThatFindsTooLittleMemoryWaitsUntilItIsFree() {
        Scene scene = Scene.with(aNode("n1").memoryMiB(1000).build());
        waitsForTheFirst(scene, aJob().memoryMiB(600), "memory", "not enough free memory");
    }

    @Test
    void aJobThatFindsTooFewCoresWaitsUntilTheyAreFree() {
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
