package io.gpusched.server.webhook;

import io.gpusched.server.config.WebhookSetting;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.InstantSource;

import javax.net.ssl.SSLException;

/// Sends one message once. Redirects are not followed: a signed message goes only to the address
/// that was configured. Only the status of the answer counts: its body is not read, because the
/// time limit of the client ends with the headers, and a body that never ends would hold up all
/// later messages.
final class WebhookPost implements AutoCloseable {
    static final String DELIVERY = "X-Gpu-Scheduler-Delivery";

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration WHOLE = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT)
                    .build();

    WebhookPost(InstantSource clock) {
        this.clock = clock;
    }

    /// @param delivery the same for all attempts to send a message, so that a receiver can tell a
    ///        repeated message from a new one
    WebhookResult send(WebhookSetting to, String delivery, byte[] body)
            throws InterruptedException {
        var request =
                HttpRequest.newBuilder(to.url())
                        .timeout(WHOLE)
                        .header("Content-Type", "application/json")
                        .header("User-Agent", "gpu-scheduler")
                        .header(DELIVERY, delivery)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (!to.secret().isEmpty()) {
            request.header(
                    WebhookSignature.HEADER,
                    WebhookSignature.of(to.secret(), clock.instant(), body));
        }
        try {
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            response.body().close();
            return WebhookResult.answered(to.name(), response.statusCode());
        } catch (IOException e) {
            return WebhookResult.failed(to.name(), words(e));
        }
    }

    /// Not the message of the exception, which may repeat the address.
    private static String words(IOException failure) {
        return switch (failure) {
            case HttpTimeoutException late -> "no answer within " + WHOLE.toSeconds() + " seconds";
            case ConnectException refused -> "no connection";
            case SSLException insecure -> "no secure connection; check its certificate";
            default -> "the connection broke";
        };
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
