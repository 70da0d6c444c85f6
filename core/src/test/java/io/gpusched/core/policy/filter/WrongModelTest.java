package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.fleet;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.GpuRequest;

import org.junit.jupiter.api.Test;

final class WrongModelTest {
    private final WrongModel filter = new WrongModel();

    @Test
    void allGpusOfANodeMayBeAskedForAndNotOneMore() {
        assertThat(filter).on(aShape().gpus(4), aNode("4×A100")).accepts();
        assertThat(filter)
                .on(aShape().gpus(5), aNode("4×A100"))
                .refuses("node has 4 GPUs, a task asks for 5")
                .by("too-few-gpus")
                .liftedBy(fleet());
        assertThat(filter)
                .on(aShape().gpus(2), aNode("1×A100"))
                .refuses("node has 1 GPU, a task asks for 2");
    }

    @Test
    void theModelHasToBeOneOfThoseNamed() {
        var shape = aShape().model("H100").model("A100");
        assertThat(filter).on(shape, aNode("4×A100-80GB")).accepts();
        assertThat(filter)
                .on(shape, aNode("4×V100"))
                .refuses("node has none of [H100, A100]")
                .by("gpu-model")
                .liftedBy(fleet());
    }

    @Test
    void aModelWithItsMemoryMeansThatMemory() {
        assertThat(filter)
                .on(aShape().model("A100-40GB"), aNode("4×A100-80GB"))
                .refuses("node has none of [A100-40GB]");
    }

    @Test
    void onAMixedNodeTooFewGpusOfTheModelAreToldAsSuch() {
        var mixed = aNode("6×A100-80GB").and(1, "H100-80GB");
        assertThat(filter).on(aShape().model("H100"), mixed).accepts();
        assertThat(filter)
                .on(aShape().model("H100").gpus(2), mixed)
                .refuses("node has 1 GPU of [H100], a task asks for 2")
                .by("too-few-gpus")
                .liftedBy(fleet());
    }

    @Test
    void onAMixedNodeTooFewGpusWithTheMemoryAreToldAsSuch() {
        var mixed = aNode("6×A100-40GB").and(1, "A100-80GB");
        assertThat(filter).on(aShape().model("A100").gpuMemoryMiB(81_920), mixed).accepts();
        assertThat(filter)
                .on(aShape().model("A100").gpuMemoryMiB(81_920).gpus(2), mixed)
                .refuses("node has 1 GPU with 81920 MiB or more, a task asks for 2")
                .by("gpu-memory")
                .liftedBy(fleet());
    }

    @Test
    void theMemoryOfAGpuMayBeAskedForAndNotOneMore() {
        var node = aNode("4×A100-40GB");
        assertThat(filter).on(aShape().gpuMemoryMiB(40_960), node).accepts();
        assertThat(filter)
                .on(aShape().gpuMemoryMiB(40_961), node)
                .refuses("GPUs have less than 40961 MiB each")
                .by("gpu-memory")
                .liftedBy(fleet());
        assertThat(filter)
                .on(aShape().asking(GpuRequest.shares(500, 40_961, 1)), node)
                .refuses("GPUs have less than 40961 MiB each");
    }

    @Test
    void aTaskWithoutGpusGoesAnywhere() {
        assertThat(filter).on(aShape().gpus(0).model("H100"), aNode("n1").gpus(0)).accepts();
    }

    @Test
    void gpusInUseAreAnotherRulesReason() {
        assertThat(filter).on(aShape().gpus(4), aNode("4×A100").busy(0, 1, 2, 3)).accepts();
    }
}
