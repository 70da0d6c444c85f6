package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.auth.Tokens;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.config.LogSection;
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

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A server that other machines can reach: tokens and TLS on every port.
@Timeout(120)
final class TlsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir Path temp;

    @Test
    void everyPortSpeaksTlsAndAsksForTokens() throws Exception {
        KeyStore keys = makeCertificate();
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
                                "GPU_SCHEDULER_API_TLS_CERT_FILE", temp.resolve("c.pem").toString(),
                                "GPU_SCHEDULER_API_TLS_KEY_FILE",
                                        temp.resolve("k.pem").toString()));
        try (Server server = Server.start(config, death -> {})) {
            String token = Files.readString(Tokens.adminFile(config.dataDir())).strip();
            assertThat(server.readyLine()).contains("https://");
            try (var client = HttpClient.newBuilder().sslContext(trusting(keys)).build()) {
                assertThat(get(client, server.url() + "/api/v1/jobs", token)).isEqualTo(200);
                assertThat(get(client, server.url() + "/api/v1/jobs", "no")).isEqualTo(401);
                assertThat(get(client, server.metricsUrl(), token)).isEqualTo(200);
            }
            var channel =
                    Grpc.newChannelBuilderForAddress(
                                    "localhost",
                                    server.grpcPort(),
                                    TlsChannelCredentials.newBuilder()
                                            .trustManager(temp.resolve("c.pem").toFile())
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

    private static SSLContext trusting(KeyStore keys) throws GeneralSecurityException, IOException {
        var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    /// Lets the JDK's keytool make a certificate, and leaves it and its key in PEM files.
    private KeyStore makeCertificate() throws Exception {
        Path store = temp.resolve("keys.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process =
                new ProcessBuilder(
                                keytool.toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-keystore",
                                store.toString(),
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                new String(PASSWORD),
                                "-validity",
                                "2")
                        .redirectErrorStream(true)
                        .start();
        assertThat(process.waitFor())
                .as(
                        new String(
                                process.getInputStream().readAllBytes(),
                                java.nio.charset.StandardCharsets.UTF_8))
                .isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem("c.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        pem("k.pem", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
        return keys;
    }

    private void pem(String file, String what, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                temp.resolve(file),
                "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, body, what));
    }
}
