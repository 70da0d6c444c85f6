package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;

import io.gpusched.wire.proto.scheduler.DeletePoolRequest;
import io.gpusched.wire.proto.scheduler.ExplainPoolRequest;
import io.gpusched.wire.proto.scheduler.GetPoolHistoryRequest;
import io.gpusched.wire.proto.scheduler.GetPoolRequest;
import io.gpusched.wire.proto.scheduler.ListPoolsRequest;
import io.gpusched.wire.proto.scheduler.PatchPoolRequest;
import io.gpusched.wire.proto.scheduler.PoolSeries;
import io.gpusched.wire.proto.scheduler.PoolServiceGrpc;
import io.gpusched.wire.proto.scheduler.PutPoolRequest;
import io.gpusched.wire.proto.scheduler.ReportPoolLoadRequest;
import io.gpusched.wire.proto.scheduler.ScalePoolRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// Every call of the gRPC service for pools, against the real server.
@Timeout(60)
final class PoolGrpcTest {
    @TempDir Path dataDir;

    @Test
    void aPoolIsPutShownScaledReportedOnAndDeleted() {
        try (Running rest = Running.in(dataDir)) {
            ManagedChannel channel =
                    ManagedChannelBuilder.forAddress("127.0.0.1", rest.server().grpcPort())
                            .usePlaintext()
                            .build();
            try {
                use(PoolServiceGrpc.newBlockingStub(channel));
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static void use(PoolServiceGrpc.PoolServiceBlockingStub calls) {
        var put =
                PutPoolRequest.newBuilder()
                        .setName("chat")
                        .setDocument(
                                """
                                {"replica": {"script": "serve"}, "min_replicas": 0,
                                 "max_replica": 3}
                                """)
                        .build();
        var made = calls.putPool(put);
        assertThat(made.getAction()).isEqualTo("created");
        assertThat(made.getWarningsList()).singleElement().asString().contains("max_replicas");
        var held =
                calls.scalePool(
                        ScalePoolRequest.newBuilder().setName("chat").setReplicas(1).build());
        assertThat(held.getHeldAt()).isEqualTo(1);
        assertThat(
                        calls.scalePool(ScalePoolRequest.newBuilder().setName("chat").build())
                                .hasHeldAt())
                .isFalse();
        calls.reportPoolLoad(
                ReportPoolLoadRequest.newBuilder()
                        .setName("chat")
                        .setReport("{\"source\": \"gw\", \"sequence\": 1}")
                        .build());
        assertThat(calls.listPools(ListPoolsRequest.getDefaultInstance()).getPoolsList())
                .singleElement()
                .satisfies(pool -> assertThat(pool.getMaxReplicas()).isEqualTo(4));
        patched(calls);
        explained(calls);
        history(calls);
        calls.deletePool(DeletePoolRequest.newBuilder().setName("chat").build());
        assertThatThrownBy(
                        () ->
                                calls.putPool(
                                        PutPoolRequest.newBuilder()
                                                .setName("x")
                                                .setDocument("{\"min_replicas\": -1}")
                                                .build()))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("min_replicas");
        assertThatThrownBy(() -> calls.getPool(GetPoolRequest.newBuilder().setName("no").build()))
                .hasMessageContaining("NOT_FOUND");
    }

    private static void patched(PoolServiceGrpc.PoolServiceBlockingStub calls) {
        var changed = calls.patchPool(patch("{\"max_replicas\": 6}"));
        assertThat(changed.getAction()).isEqualTo("changed");
        var chat = calls.getPool(GetPoolRequest.newBuilder().setName("chat").build());
        assertThat(chat.getMaxReplicas()).isEqualTo(6);
        assertThat(calls.patchPool(patch("{\"max_replicas\": 6}")).getAction())
                .isEqualTo("unchanged");
        assertThatThrownBy(() -> calls.patchPool(patch("{\"max_replicas\": -1}")))
                .hasMessageContaining("INVALID_ARGUMENT")
                .hasMessageContaining("max_replicas");
    }

    private static PatchPoolRequest patch(String document) {
        return PatchPoolRequest.newBuilder().setName("chat").setDocument(document).build();
    }

    private static void explained(PoolServiceGrpc.PoolServiceBlockingStub calls) {
        calls.scalePool(ScalePoolRequest.newBuilder().setName("chat").setReplicas(2).build());
        var why = calls.explainPool(ExplainPoolRequest.newBuilder().setName("chat").build());
        assertThat(why.getDesired()).isEqualTo(2);
        assertThat(why.getWouldBe()).isEqualTo(2);
        assertThat(why.getRule()).isEqualTo("hold");
        assertThat(why.getReason()).contains("holds the pool at 2");
        assertThat(why.getStepsList()).isNotEmpty();
        assertThat(why.getCapacity()).startsWith("0 of 2 missing replicas can be placed now");
        assertThat(why.getWaitingList())
                .hasSize(2)
                .allSatisfy(replica -> assertThat(replica.getSummary()).isNotEmpty());
        assertThat(why.getRecentList())
                .last()
                .satisfies(change -> assertThat(change.getTo()).isEqualTo(2));
        assertThatThrownBy(
                        () ->
                                calls.explainPool(
                                        ExplainPoolRequest.newBuilder().setName("no").build()))
                .hasMessageContaining("NOT_FOUND");
    }

    private static void history(PoolServiceGrpc.PoolServiceBlockingStub calls) {
        var request = GetPoolHistoryRequest.newBuilder().setName("chat").setPoints(10);
        var chart = calls.getPoolHistory(request.build());
        assertThat(chart.getTimesList()).isNotEmpty().hasSizeLessThanOrEqualTo(10);
        assertThat(chart.getSeriesList())
                .extracting(PoolSeries::getName)
                .contains("replicas", "ttft_p95_ms", "slo_percent");
        assertThat(chart.getSeriesList())
                .allSatisfy(
                        series ->
                                assertThat(series.getFiguresCount())
                                        .isEqualTo(chart.getTimesCount()));
        assertThatThrownBy(() -> calls.getPoolHistory(request.setPoints(2001).build()))
                .hasMessageContaining("points: expected 1 to 2000");
        var end = Timestamp.newBuilder().setSeconds(10);
        assertThatThrownBy(
                        () ->
                                calls.getPoolHistory(
                                        request.setPoints(0).setFrom(end).setTo(end).build()))
                .hasMessageContaining("from: expected a time before to");
    }
}
