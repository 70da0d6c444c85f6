package io.gpusched.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.core.model.NodeId;
import io.gpusched.server.alert.Alert;
import io.gpusched.server.alert.AlertBook;
import io.gpusched.server.alert.AlertFile;
import io.gpusched.server.alert.AlertSubject;
import io.gpusched.server.alert.Finding;
import io.gpusched.server.alert.Severity;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.config.WebhookSetting;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

@Timeout(60)
final class WebhooksTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String SECRET = "s3cret-key";
    private static final RetryTimes QUICK =
            new RetryTimes(Duration.ofMillis(2), Duration.ofMillis(10), Duration.ofHours(1));

    @TempDir Path dataDir;

    private final AlertBook book = book(AlertBook.Image.EMPTY);
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    private static AlertBook book(AlertBook.Image before) {
        return new AlertBook(Map.of(), Duration.ZERO, before);
    }

    private Webhooks webhooks(WebhookSetting... settings) {
        var webhooks =
                new Webhooks(
                        List.of(settings),
                        "production",
                        () -> NOW,
                        (webhook, result) -> counts.merge(webhook + " " + result, 1, Integer::sum),
                        QUICK);
        webhooks.start(book::told);
        return webhooks;
    }

    private static WebhookSetting json(URI url) {
        return new WebhookSetting(
                "ops", url, WebhookSetting.Format.JSON, SECRET, Set.of(), Set.of());
    }

    private static WebhookSetting slack(URI url) {
        return new WebhookSetting(
                "chat", url, WebhookSetting.Format.SLACK, "", Set.of("critical"), Set.of());
    }

    private static Finding finding(String node, Severity severity) {
        return new Finding(
                AlertSubject.of(new NodeId(node)),
                Finding.Level.EXCEEDED,
                severity,
                4,
                0,
                "node <!channel> & co is lost",
                "gpu-cli nodes n1");
    }

    private static void found(AlertBook book, String... nodes) {
        List<Finding> findings =
                Stream.of(nodes).map(node -> finding(node, Severity.WARNING)).toList();
        book.update(NOW, Map.of(AlertName.NODE_LOST, findings));
    }

    private static Alert alert(long number, Severity severity, @Nullable Instant resolved) {
        Finding finding = finding("n1", severity);
        return new Alert(number, AlertName.NODE_LOST, finding, NOW, resolved, null, Map.of());
    }

    private static void soon(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("not before the time limit of the test");
            }
        }
    }

    private int count(String what) {
        return counts.getOrDefault(what, 0);
    }

    @Test
    void aMessageIsRepeatedUntilItIsDelivered() throws Exception {
        try (var receiver = new Receiver(500, 503, 429);
                var webhooks = webhooks(json(receiver.url()))) {
            webhooks.changed(alert(1, Severity.CRITICAL, null));
            soon(() -> count("ops delivered") == 1);

            assertThat(receiver.received).hasSize(4);
            assertThat(receiver.received)
                    .extracting(Receiver.Received::delivery)
                    .containsOnly(receiver.received.getFirst().delivery());
            assertThat(count("ops retried")).isEqualTo(3);
            JsonNode body = new ObjectMapper().readTree(receiver.received.getLast().body());
            assertThat(body.get("event").asText()).isEqualTo("firing");
            assertThat(body.get("environment").asText()).isEqualTo("production");
            assertThat(body.get("alert").get("name").asText()).isEqualTo("NodeLost");
            assertThat(body.get("alert").get("node_id").asText()).isEqualTo("n1");
        }
    }

    @Test
    void theSignatureCoversTheTimeAndTheBody() throws Exception {
        try (var receiver = new Receiver();
                var webhooks = webhooks(json(receiver.url()))) {
            webhooks.changed(alert(1, Severity.CRITICAL, null));
            soon(() -> !receiver.received.isEmpty());
            Receiver.Received got = receiver.received.getFirst();

            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            String signed = NOW.getEpochSecond() + "." + got.body();
            String expected =
                    HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
            assertThat(got.signature()).isEqualTo("t=" + NOW.getEpochSecond() + ",v1=" + expected);
        }
    }

    @Test
    void theSameNewsIsSentOnceAndTheResolutionToo() {
        try (var receiver = new Receiver();
                var webhooks = webhooks(json(receiver.url()))) {
            webhooks.changed(alert(1, Severity.WARNING, null));
            webhooks.changed(alert(1, Severity.WARNING, null));
            webhooks.changed(alert(1, Severity.CRITICAL, null));
            webhooks.changed(alert(1, Severity.CRITICAL, NOW));
            webhooks.changed(alert(1, Severity.CRITICAL, NOW));
            webhooks.changed(alert(2, Severity.WARNING, null));
            soon(() -> count("ops delivered") == 4);
            assertThat(receiver.received)
                    .extracting(got -> got.body().replaceAll(".*\"event\":\"(\\w+)\".*", "$1"))
                    .containsExactly("firing", "firing", "resolved", "firing");
        }
    }

    @Test
    void slackGetsAnEscapedTextAndOnlyTheSeveritiesItWants() throws Exception {
        try (var receiver = new Receiver();
                var webhooks = webhooks(slack(receiver.url()))) {
            webhooks.changed(alert(1, Severity.WARNING, null));
            webhooks.changed(alert(2, Severity.CRITICAL, null));
            webhooks.changed(alert(2, Severity.CRITICAL, NOW));
            soon(() -> count("chat delivered") == 2);
            JsonNode body = new ObjectMapper().readTree(receiver.received.getFirst().body());
            assertThat(body.size()).isEqualTo(1);
            assertThat(body.get("text").asText())
                    .isEqualTo(
                            "*CRITICAL* NodeLost (production): node &lt;!channel&gt; &amp; co is"
                                    + " lost\n"
                                    + "What to do: gpu-cli nodes n1");
            assertThat(receiver.received.getLast().body()).contains("*RESOLVED* NodeLost");
            assertThat(receiver.received.getFirst().signature()).isEqualTo("null");
        }
    }

    @Test
    void aSilencedAlertIsNotSentButTheEndOfOneThatWasSentIs() {
        try (var receiver = new Receiver();
                var webhooks = webhooks(json(receiver.url()))) {
            var silence = new Alert.Silence(NOW.plusSeconds(60), "admin", "");
            webhooks.changed(silenced(alert(1, Severity.WARNING, null), silence));
            webhooks.changed(silenced(alert(1, Severity.WARNING, NOW), silence));
            webhooks.changed(alert(2, Severity.WARNING, null));
            webhooks.changed(silenced(alert(2, Severity.WARNING, NOW), silence));
            soon(() -> count("ops delivered") == 2);
            assertThat(receiver.received)
                    .extracting(Receiver.Received::body)
                    .allMatch(body -> body.contains("alert-2"));
        }
    }

    private static Alert silenced(Alert alert, Alert.Silence silence) {
        return new Alert(
                alert.number(),
                alert.name(),
                alert.finding(),
                alert.since(),
                alert.resolvedAt(),
                silence,
                alert.told());
    }

    @Test
    void aReceiverOfCriticalAlertsLearnsTheEndOfOneThatFellToAWarning() {
        try (var receiver = new Receiver();
                var webhooks = webhooks(slack(receiver.url()))) {
            webhooks.changed(alert(1, Severity.CRITICAL, null));
            webhooks.changed(alert(1, Severity.WARNING, null));
            webhooks.changed(alert(1, Severity.WARNING, NOW));
            webhooks.changed(alert(2, Severity.WARNING, NOW));
            webhooks.changed(alert(3, Severity.CRITICAL, null));
            soon(() -> count("chat delivered") == 3);
            assertThat(receiver.received)
                    .extracting(got -> got.body().replaceAll(".*\\*(\\w+)\\*.*", "$1"))
                    .containsExactly("CRITICAL", "RESOLVED", "CRITICAL");
        }
    }

    @Test
    void anAlertThatFiredWhileSilencedIsSentOnceTheSilenceIsOver() {
        try (var receiver = new Receiver();
                var webhooks = webhooks(json(receiver.url()))) {
            found(book, "n1", "n2");
            book.silence("alert-1", new Alert.Silence(NOW.plusSeconds(60), "admin", ""));
            webhooks.evaluated(book.all());
            soon(() -> count("ops delivered") == 1);
            book.silence("alert-1", new Alert.Silence(NOW, "admin", "over now"));
            webhooks.evaluated(book.all());
            webhooks.evaluated(book.all());
            found(book, "n1");
            webhooks.evaluated(book.all());
            soon(() -> count("ops delivered") == 3);
            assertThat(receiver.received)
                    .extracting(WebhooksTest::news)
                    .containsExactly("firing alert-2", "firing alert-1", "resolved alert-2");
        }
    }

    private static String news(Receiver.Received got) {
        return got.body().replaceAll(".*\"event\":\"(\\w+)\".*\"id\":\"([^\"]+)\".*", "$1 $2");
    }

    @Test
    void afterARestartOnlyWhatWasNotToldIsSent() {
        try (var receiver = new Receiver()) {
            try (var webhooks = webhooks(json(receiver.url()))) {
                found(book, "n1", "n2");
                webhooks.evaluated(book.all());
                soon(() -> book.all().stream().noneMatch(alert -> alert.told().isEmpty()));
            }
            found(book, "n1", "n3");
            var file = new AlertFile(dataDir);
            file.write(book.image());
            receiver.received.clear();

            AlertBook after = book(file.read(0));
            try (var webhooks = webhooks(json(receiver.url()))) {
                webhooks.evaluated(after.all());
                soon(() -> receiver.received.size() == 2);
                assertThat(receiver.received)
                        .extracting(WebhooksTest::news)
                        .containsExactly("resolved alert-2", "firing alert-3");
            }
        }
    }

    /// The first process crashed before it could record that the message was delivered.
    @Test
    void aMessageThatIsRepeatedAfterACrashHasTheSameDeliveryId() {
        try (var receiver = new Receiver()) {
            for (int process = 1; process <= 2; process++) {
                int messages = process;
                try (var webhooks = webhooks(json(receiver.url()))) {
                    webhooks.changed(alert(1, Severity.WARNING, null));
                    soon(() -> receiver.received.size() == messages);
                }
            }
            assertThat(receiver.received.getLast().delivery())
                    .isEqualTo(receiver.received.getFirst().delivery());
        }
    }

    @Test
    void redirectsAndRefusalsAreNeitherFollowedNorRepeated() {
        try (var receiver = new Receiver(302, 404);
                var webhooks = webhooks(json(receiver.url()))) {
            webhooks.changed(alert(1, Severity.WARNING, null));
            webhooks.changed(alert(2, Severity.WARNING, null));
            soon(() -> count("ops failed") == 2);
            assertThat(receiver.received).hasSize(2);
        }
    }

    @Test
    void anAnswerThatNeverEndsHoldsUpNothing() {
        try (var receiver = new Receiver().endless();
                var webhooks = webhooks(json(receiver.url()))) {
            assertThat(webhooks.test()).containsExactly(new WebhookResult("ops", 200, ""));
            webhooks.changed(alert(1, Severity.WARNING, null));
            webhooks.changed(alert(2, Severity.WARNING, null));
            soon(() -> count("ops delivered") == 2);
        }
    }

    @Test
    void anUnreachableReceiverNeverDelaysTheCallerAndTheQueueIsBounded() {
        Webhooks webhooks;
        URI nobody;
        try (var receiver = new Receiver()) {
            nobody = receiver.url();
        }
        webhooks = webhooks(json(nobody));
        for (int number = 1; number <= WebhookQueue.MOST_WAITING + 10; number++) {
            webhooks.changed(alert(number, Severity.WARNING, null));
        }
        assertThat(count("ops dropped")).isBetween(9, 10);
        webhooks.close();
    }

    @Test
    void aTestMessageReportsWhatCameOfItWithoutTheAddress() {
        URI nobody;
        try (var closed = new Receiver()) {
            nobody = closed.url();
        }
        try (var receiver = new Receiver();
                var refusing = new Receiver(403);
                var webhooks =
                        webhooks(slack(receiver.url()), json(refusing.url()), json(nobody))) {
            List<WebhookResult> results = webhooks.test();
            assertThat(results)
                    .containsExactly(
                            new WebhookResult("chat", 200, ""),
                            new WebhookResult("ops", 403, "it answered 403"),
                            new WebhookResult("ops", 0, "no connection"));
            assertThat(results.toString()).doesNotContain("s3cret");
            assertThat(receiver.received.getFirst().body()).contains("not an alert");
        }
    }

    @Test
    void pausesGrowToALimitAndVary() {
        var random = new Random(1);
        for (int failures = 1; failures < 100; failures++) {
            long whole = Math.min(300_000, 1000L << Math.min(failures - 1, 20));
            assertThat(RetryTimes.USUAL.after(failures, random).toMillis())
                    .isBetween(whole / 2, whole);
        }
    }
}
