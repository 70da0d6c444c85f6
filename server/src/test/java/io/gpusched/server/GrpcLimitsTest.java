package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.wire.proto.scheduler.GetClusterStatusRequest;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc.SchedulerServiceBlockingStub;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// The limits of the REST API hold for gRPC too.
@Timeout(60)
@SuppressWarnings("NullAway.Init")
final class GrpcLimitsTest {
    @TempDir Path dataDir;

    @Test
    void aCallerAboveTheRateLimitIsToldWhenToRetry() {
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

    @Test
    void aMessageThatCannotBeReadLeavesNoStackTrace() {
        var logged = new ArrayList<LogRecord>();
        var handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord record) {
                        logged.add(record);
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            with(
                    Map.of(),
                    calls -> {
                        for (int i = 0; i < 5; i++) {
                            assertThatThrownBy(() -> sendNonsense(calls.getChannel()))
                                    .isInstanceOf(StatusRuntimeException.class);
                        }
                    });
        } finally {
            root.removeHandler(handler);
        }
        assertThat(logged).filteredOn(record -> record.getThrown() != null).isEmpty();
    }

    private static void sendNonsense(Channel channel) {
        MethodDescriptor<byte[], byte[]> method =
                MethodDescriptor.newBuilder(BYTES, BYTES)
                        .setType(MethodDescriptor.MethodType.UNARY)
                        .setFullMethodName(
                                SchedulerServiceGrpc.getSubmitJobMethod().getFullMethodName())
                        .build();
        ClientCalls.blockingUnaryCall(
                channel, method, CallOptions.DEFAULT, new byte[] {-1, -1, -1, -1, -1});
    }

    private static final MethodDescriptor.Marshaller<byte[]> BYTES =
            new MethodDescriptor.Marshaller<>() {
                @Override
                public InputStream stream(byte[] bytes) {
                    return new ByteArrayInputStream(bytes);
                }

                @Override
                public byte[] parse(InputStream stream) {
                    try {
                        return stream.readAllBytes();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };

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
