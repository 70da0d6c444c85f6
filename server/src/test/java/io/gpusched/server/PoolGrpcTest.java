package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.wire.proto.scheduler.DeletePoolRequest;
import io.gpusched.wire.proto.scheduler.GetPoolRequest;
import io.gpusched.wire.proto.scheduler.ListPoolsRequest;
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
}
