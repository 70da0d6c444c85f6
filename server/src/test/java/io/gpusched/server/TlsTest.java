package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.auth.Tokens;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.config.LogSection;
import io.gpusched.server.http.SelfSigned;
import io.gpusched.wire.proto.scheduler.GetClusterStatusRequest;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A server that other machines can reach: tokens and TLS on every port.
@Timeout(120)
final class TlsTest {
    @TempDir Path temp;

    @Test
    void everyPortSpeaksTlsAndAsksForTokens() throws Exception {
        var signed = SelfSigned.in(temp);
        Logging.configure(new LogSection("warn", false));
        var config =
                ConfigReader.read(
                        Arguments.of(
                                "--data-dir", temp.resolve("data").toString(),
                                "--http-port", "0",
                                "--grpc-port", "0",
                                "--metrics-port", "0"),
                        Map.of(
                                "GPU_SCHEDULER_API_HOST", "0.0.0.0",
                                "GPU_SCHEDULER_AUTH_ENABLED", "true",
                                "GPU_SCHEDULER_API_ENABLE_TLS", "true",
                                "GPU_SCHEDULER_API_TLS_CERT_FILE", signed.certificate().toString(),
                                "GPU_SCHEDULER_API_TLS_KEY_FILE", signed.key().toString()));
        try (Server server = Server.start(config, death -> {})) {
            String token = Files.readString(Tokens.adminFile(config.dataDir())).strip();
            assertThat(server.readyLine()).contains("https://");
            try (var client = HttpClient.newBuilder().sslContext(signed.trusting()).build()) {
                assertThat(get(client, server.url() + "/api/v1/jobs", token)).isEqualTo(200);
                assertThat(get(client, server.url() + "/api/v1/jobs", "no")).isEqualTo(401);
                assertThat(get(client, server.metricsUrl(), token)).isEqualTo(200);
            }
            var channel =
                    Grpc.newChannelBuilderForAddress(
                                    "localhost",
                                    server.grpcPort(),
                                    TlsChannelCredentials.newBuilder()
                                            .trustManager(signed.certificate().toFile())
                                            .build())
                            .build();
            assertThat(totalNodes(channel, token)).isZero();
            channel.shutdownNow();
        }
    }

    private static int totalNodes(ManagedChannel channel, String token) {
        var headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + token);
        return SchedulerServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .getClusterStatus(GetClusterStatusRequest.getDefaultInstance())
                .getTotalNodes();
    }

    private static int get(HttpClient client, String url, String token) throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(url.replace("0.0.0.0", "localhost")))
                        .header("Authorization", "Bearer " + token)
                        .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
