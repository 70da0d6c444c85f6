package io.gpusched.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

/// Asks the scheduler over REST. A pod waits meanwhile, so an answer must come soon.
public final class RestGpuScorer implements GpuScorer, AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;

    private final HttpClient client;
    private final URI url;
    private final Supplier<String> token;
    private final Duration patience;
    private volatile boolean isConnected;

    /// @param scheduler address of the REST API
    /// @param token read again for each question; empty if none is needed
    public RestGpuScorer(
            URI scheduler, SSLContext trusted, Supplier<String> token, Duration patience) {
        this.client = HttpClient.newBuilder().sslContext(trusted).connectTimeout(patience).build();
        this.url = scheduler.resolve("/v1/score");
        this.token = token;
        this.patience = patience;
    }

    @Override
    public JsonNode score(ObjectNode question) throws IOException, InterruptedException {
        isConnected = false;
        var request =
                HttpRequest.newBuilder(url)
                        .timeout(patience)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(question.toString()));
        String secret = token.get();
        if (!secret.isEmpty()) {
            request.header("Authorization", "Bearer " + secret);
        }
        HttpResponse<String> answer =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        isConnected = true;
        if (answer.statusCode() != OK) {
            throw new IOException(
                    "the scheduler answered %d: %s".formatted(answer.statusCode(), answer.body()));
        }
        return JSON.readTree(answer.body());
    }

    @Override
    public boolean isConnected() {
        return isConnected;
    }

    @Override
    public void close() {
        client.close();
    }
}
