package io.gpusched.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/// Over TLS, as an API server calls it.
final class WebhookServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REVIEW =
            """
            {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {"uid": "u-1",
             "object": {"metadata": {"annotations": {"app.kubernetes.io/job-type": "bert"}}, "spec": {}}}}
            """;

    private final FakeGpuScorer scorer = new FakeGpuScorer();
    private final ServedKeys keys = new ServedKeys();
    private final ServingCertificate first = certificate();
    private WebhookServer server;

    private static ServingCertificate certificate() {
        return ServingCertificate.make(List.of("localhost"), Instant.now(), Duration.ofDays(1));
    }

    @BeforeEach
    void start() throws IOException {
        keys.show(first);
        var scoring =
                new PodScoring(
                        scorer,
                        new FixedView(List.of("L4-24GB"), List.of(), true),
                        InstantSource.system());
        server = new WebhookServer(0, keys, new AdmissionReviews(scoring), scorer);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static HttpClient trusting(ServingCertificate certificate) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("webhook", certificate.certificate());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private HttpResponse<String> send(ServingCertificate trusted, String path, String body)
            throws Exception {
        try (HttpClient client = trusting(trusted)) {
            var request =
                    HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + path));
            if (!body.isEmpty()) {
                request.POST(HttpRequest.BodyPublishers.ofString(body));
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void aReviewIsAnsweredWithAPatch() throws Exception {
        scorer.chooses("L4-24GB", 80);

        JsonNode response = JSON.readTree(send(first, "/mutate", REVIEW).body()).path("response");

        assertThat(response.path("uid").asText()).isEqualTo("u-1");
        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
        byte[] patch = Base64.getDecoder().decode(response.path("patch").asText());
        assertThat(JSON.readTree(new String(patch, StandardCharsets.UTF_8)).toString())
                .contains("gpu-high")
                .contains("/spec/nodeSelector/gpu.nvidia.com~1class");
    }

    @Test
    void aPodPassesWhileTheSchedulerIsAway() throws Exception {
        JsonNode response = JSON.readTree(send(first, "/mutate", REVIEW).body()).path("response");

        assertThat(response.path("allowed").asBoolean()).isTrue();
        assertThat(response.has("patch")).isFalse();
        assertThat(response.path("warnings").path(0).asText())
                .isEqualTo("gpu-scheduler did not score this pod: connection refused");
    }

    @Test
    void probesSayWhetherTheSchedulerAnswers() throws Exception {
        assertThat(send(first, "/healthz", "").statusCode()).isEqualTo(200);
        assertThat(send(first, "/readyz", "").body()).isEqualTo("disconnected\n");
        scorer.chooses("L4-24GB", 80);
        assertThat(send(first, "/readyz", "").body()).isEqualTo("connected\n");
    }

    @Test
    void somethingElseIsRefused() throws Exception {
        assertThat(send(first, "/mutate", "{").statusCode()).isEqualTo(400);
        assertThat(send(first, "/mutate", "").statusCode()).isEqualTo(405);
        assertThat(send(first, "/mutate", "x".repeat((4 << 20) + 1)).statusCode()).isEqualTo(413);
    }

    @Test
    void aNewCertificateIsShownWithoutARestart() throws Exception {
        ServingCertificate second = certificate();
        keys.show(second);

        assertThat(send(second, "/healthz", "").statusCode()).isEqualTo(200);
        assertThatExceptionOfType(SSLHandshakeException.class)
                .isThrownBy(() -> send(first, "/healthz", ""));
    }
}
