package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.wire.proto.scheduler.GetClusterStatusRequest;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc.SchedulerServiceBlockingStub;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/// What is bounded for REST is bounded for gRPC too.
@Timeout(60)
@SuppressWarnings("NullAway.Init")
final class GrpcLimitsTest {
    @TempDir Path dataDir;

    @Test
    void whoCallsTooOftenIsToldWhenToTryAgain() {
        with(
                Map.of("GPU_SCHEDULER_API_RATE_LIMIT_RPS", "1"),
                calls ->
                        assertThatThrownBy(
                                        () -> {
                                            for (int i = 0; i < 1_000; i++) {
                                                calls.getClusterStatus(
                                                        GetClusterStatusRequest
                                                                .getDefaultInstance());
                                            }
                                        })
                                .isInstanceOfSatisfying(
                                        StatusRuntimeException.class,
                                        refused -> says(refused, "try again in")));
    }

    @Test
    void aRequestTooLargeNamesTheSettingAndSubmitsNothing() {
        with(
                Map.of("GPU_SCHEDULER_API_MAX_REQUEST_KB", "16"),
                calls -> {
                    var large =
                            SubmitJobRequest.newBuilder()
                                    .setName("large")
                                    .setScript("x".repeat(17 * 1024))
                                    .build();
                    assertThatThrownBy(() -> calls.submitJob(large))
                            .isInstanceOfSatisfying(
                                    StatusRuntimeException.class,
                                    refused -> says(refused, "api.max_request_kb"));
                    var small = SubmitJobRequest.newBuilder().setName("small").build();
                    assertThat(calls.submitJob(small).getJobId()).isEqualTo("job-1");
                });
    }

    private static void says(StatusRuntimeException refused, String words) {
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(refused.getStatus().getDescription()).contains(words);
    }

    private void with(
            Map<String, String> environment, Consumer<SchedulerServiceBlockingStub> calls) {
        try (Running rest = Running.in(dataDir, environment)) {
            ManagedChannel channel =
                    ManagedChannelBuilder.forAddress("127.0.0.1", rest.server().grpcPort())
                            .usePlaintext()
                            .build();
            try {
                calls.accept(SchedulerServiceGrpc.newBlockingStub(channel));
            } finally {
                channel.shutdownNow();
            }
        }
    }
}
