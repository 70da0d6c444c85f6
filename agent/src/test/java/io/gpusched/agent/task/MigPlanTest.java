package io.gpusched.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.proto.agent.MigSlice;
import io.gpusched.wire.proto.agent.TaskOrder;

import org.junit.jupiter.api.Test;

final class MigPlanTest {
    @Test
    void aPlanListsTheCommands() {
        var order =
                TaskOrder.newBuilder()
                        .addSlices(
                                MigSlice.newBuilder()
                                        .setGpu(1)
                                        .setProfile("3g.20gb")
                                        .setFirst(4)
                                        .setSize(4))
                        .build();
        assertThat(MigPlan.commands(order))
                .containsExactly("nvidia-smi -i 1 -mig 1", "nvidia-smi mig -i 1 -cgi 3g.20gb:4 -C");
        assertThat(MigPlan.shown(order)).isEqualTo("1:3g.20gb@4");
        assertThat(MigPlan.devices(order)).isEqualTo("MIG-1-3g.20gb-4");
    }
}
