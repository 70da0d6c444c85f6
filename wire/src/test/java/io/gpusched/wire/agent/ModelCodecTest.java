package io.gpusched.wire.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;
import io.gpusched.wire.proto.agent.NodeModels;

import org.junit.jupiter.api.Test;

import java.util.List;

final class ModelCodecTest {
    @Test
    void anOrderSaysWhatWhereFromAndHowLarge() {
        var order = new io.gpusched.core.model.ModelOrder("llama", "file:/m", 5, true);
        assertThat(ModelCodec.order(order))
                .isEqualTo(
                        ModelOrder.newBuilder()
                                .setModel("llama")
                                .setUri("file:/m")
                                .setBytes(5)
                                .setRemove(true)
                                .build());
    }

    @Test
    void aReportNamesEverythingThatTheNodeHolds() {
        var told =
                NodeModels.newBuilder()
                        .setNodeId("n1")
                        .addModels(
                                HeldModel.newBuilder()
                                        .setModel("a")
                                        .setState(HeldModel.State.CACHED)
                                        .setBytes(7))
                        .addModels(
                                HeldModel.newBuilder()
                                        .setModel("b")
                                        .setState(HeldModel.State.FAILED)
                                        .setProblem("x".repeat(600)))
                        .build();
        assertThat(ModelCodec.report(told))
                .isEqualTo(
                        new Report.NodeModels(
                                new NodeId("n1"),
                                List.of(
                                        new io.gpusched.core.pool.HeldModel(
                                                "a", CacheState.CACHED, 7, ""),
                                        new io.gpusched.core.pool.HeldModel(
                                                "b", CacheState.FAILED, 0, "x".repeat(500)))));
    }

    @Test
    void aReportThatSaysNothingIsRefused() {
        var nameless = NodeModels.newBuilder().addModels(HeldModel.getDefaultInstance()).build();
        assertThatThrownBy(() -> ModelCodec.report(nameless))
                .hasMessageContaining("expected the name of a model");
        var stateless =
                NodeModels.newBuilder().addModels(HeldModel.newBuilder().setModel("a")).build();
        assertThatThrownBy(() -> ModelCodec.report(stateless))
                .hasMessageContaining("expected LOADING, CACHED or FAILED");
    }
}
