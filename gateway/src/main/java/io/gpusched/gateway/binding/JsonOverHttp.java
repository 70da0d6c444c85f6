package io.gpusched.gateway.binding;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// Sends one request and reads a JSON answer of limited size. It follows no redirects, so
/// credentials go nowhere else.
final class JsonOverHttp implements AutoCloseable {
    private static final int MOST_BYTES = 4 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    /// @param body missing where the answer is no JSON
    record Answer(int status, JsonNode body) {
        boolean isGood() {
            return status >= 200 && status < 300;
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(Duration.ofMillis(Pace.CLIENT_TIMEOUT_MILLIS))
                    .build();

    static HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri)
                .timeout(Duration.ofMillis(Pace.CLIENT_TIMEOUT_MILLIS))
                .header("Accept", "application/json");
    }

    Answer send(HttpRequest request) throws LagProblem, InterruptedException {
        try {
            HttpResponse<byte[]> answer =
                    client.send(
                            request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
            return new Answer(answer.statusCode(), parsed(answer.body()));
        } catch (IOException e) {
            throw LagProblem.connecting(e);
        }
    }

    private static JsonNode parsed(byte[] body) throws IOException {
        try {
            return JSON.readTree(body);
        } catch (JacksonException e) {
            return JSON.missingNode();
        }
    }

    /// What a status other than 2xx means.
    static LagProblem refused(int status) {
        return switch (status) {
            case 401, 403 -> LagProblem.credentials();
            case 429 -> new LagProblem("the server limits the rate of requests (HTTP 429)");
            default -> new LagProblem("the server answered HTTP " + status);
        };
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
