package io.gpusched.gateway.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.gateway.admit.KeyOwner;
import io.gpusched.gateway.pool.PoolConfig;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLContext;

/// Asks the scheduler over REST. Every call blocks for a few seconds at most.
public final class SchedulerClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long MOST_ANSWER_BYTES = 64L << 20;

    private final URI scheduler;
    private final String token;
    private final HttpClient http;
    private String poolsTag = "";

    /// @param token of the gateway; empty where the scheduler asks for none
    /// @param tls null for the authorities that the JDK trusts
    public SchedulerClient(URI scheduler, String token, @Nullable SSLContext tls) {
        this.scheduler = scheduler;
        this.token = token;
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(PATIENCE);
        http = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /// All pools, or null when they are as they were in the last answer. To be called by one
    /// thread.
    public @Nullable List<PoolConfig> pools() throws SchedulerFault {
        HttpRequest.Builder request = request("/api/v1/pools", token).GET();
        if (!poolsTag.isEmpty()) {
            request.header("If-None-Match", poolsTag);
        }
        HttpResponse<byte[]> answer = send(request.build());
        if (answer.statusCode() == 304) {
            return null;
        }
        List<PoolConfig> pools = PoolReader.read(body(answer));
        poolsTag = answer.headers().firstValue("ETag").orElse("");
        return pools;
    }

    /// A page of the queue bindings with their connection strings, which are secret.
    ///
    /// @param offset how many bindings come before
    public JsonNode bindings(int offset) throws SchedulerFault {
        String path = "/api/v1/bindings?secrets=true&limit=1000&offset=" + offset;
        return body(send(request(path, token).GET().build()));
    }

    /// Reports the load of a pool.
    public void report(String pool, String load) throws SchedulerFault {
        String path = "/api/v1/pools/" + URLEncoder.encode(pool, StandardCharsets.UTF_8) + "/load";
        body(
                send(
                        request(path, token)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(load))
                                .build()));
    }

    /// Whose key this is.
    ///
    /// @param key empty for a request without a key
    public KeyOwner owner(String key) {
        try {
            HttpResponse<byte[]> answer = send(request("/api/v1/whoami", key).GET().build());
            if (answer.statusCode() == 401 || answer.statusCode() == 403) {
                return new KeyOwner.Unknown();
            }
            JsonNode found = body(answer);
            String tenant = found.path("tenant_id").asText("");
            boolean admin = found.path("role").asText("").equals("admin");
            if (tenant.isEmpty() && !admin) {
                return new KeyOwner.Unknown();
            }
            String name = found.path("name").asText("admin");
            return new KeyOwner.Known(tenant.isEmpty() ? name : tenant, admin);
        } catch (SchedulerFault e) {
            // A key that no request can carry is known to nobody; everything else may pass.
            return e.status() == 401 ? new KeyOwner.Unknown() : new KeyOwner.Unreachable();
        }
    }

    private HttpRequest.Builder request(String path, String key) throws SchedulerFault {
        try {
            var request =
                    HttpRequest.newBuilder(scheduler.resolve(path))
                            .timeout(PATIENCE)
                            .header("Accept", "application/json");
            return key.isEmpty() ? request : request.header("Authorization", "Bearer " + key);
        } catch (IllegalArgumentException e) {
            throw new SchedulerFault(401, "the key contains characters that no header can have");
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws SchedulerFault {
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(
                        request,
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_ANSWER_BYTES));
        try {
            return answer.get(PATIENCE.toMillis() + 1_000, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new SchedulerFault(0, "no answer from " + scheduler + ": " + e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new SchedulerFault(0, "no whole answer from " + scheduler + " in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.cancel(true);
            throw new SchedulerFault(0, "interrupted");
        }
    }

    private static JsonNode body(HttpResponse<byte[]> answer) throws SchedulerFault {
        int status = answer.statusCode();
        if (status / 100 != 2) {
            String text = new String(answer.body(), StandardCharsets.UTF_8);
            throw new SchedulerFault(
                    status,
                    "the scheduler answered %s: %s"
                            .formatted(status, text.substring(0, Math.min(300, text.length()))));
        }
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new SchedulerFault(status, "the scheduler did not answer with JSON");
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
