package io.gpusched.gateway;

import io.gpusched.gateway.proxy.ProxyLimits;
import io.gpusched.gateway.scheduler.SchedulerLink;
import io.gpusched.gateway.scrape.ReplicaWatch;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/// A real gateway between a scripted scheduler and scripted replicas.
final class GatewayScene implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final String CHAT =
            "{\"model\":\"chat\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"say"
                    + " hello\"}]}";

    final ScriptedScheduler scheduler = new ScriptedScheduler();
    final HttpClient http = HttpClient.newHttpClient();
    private final List<ScriptedReplica> replicas = new ArrayList<>();
    private @Nullable Gateway gateway;

    /// A scene with the pool `chat`, whose gateway has not started.
    GatewayScene() throws IOException {
        scheduler.pool("chat");
    }

    static GatewaySettings settings(URI scheduler) {
        return new GatewaySettings(
                "gw-1",
                scheduler,
                "gateway-token",
                null,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                false,
                0,
                Map.of(),
                limits(100, Duration.ofMinutes(5), 512),
                new SchedulerLink.Pace(Duration.ofMillis(20), Duration.ofMillis(20)),
                new ReplicaWatch.Pace(
                        Duration.ofMillis(20), Duration.ofMillis(20), Duration.ofSeconds(2)));
    }

    static ProxyLimits limits(int held, Duration hold, int replicaRequests) {
        return new ProxyLimits(
                64 * 1024,
                1 << 20,
                1_000,
                held,
                hold,
                replicaRequests,
                3,
                new ProxyLimits.Timeouts(
                        Duration.ofSeconds(5), PATIENCE, PATIENCE, PATIENCE, PATIENCE));
    }

    static GatewaySettings with(GatewaySettings settings, ProxyLimits limits) {
        return with(settings, limits, settings.watch());
    }

    static GatewaySettings with(GatewaySettings settings, ReplicaWatch.Pace watch) {
        return with(settings, settings.limits(), watch);
    }

    private static GatewaySettings with(
            GatewaySettings settings, ProxyLimits limits, ReplicaWatch.Pace watch) {
        return new GatewaySettings(
                settings.id(),
                settings.scheduler(),
                settings.token(),
                settings.tls(),
                settings.listen(),
                settings.open(),
                settings.tenantRate(),
                settings.tenantRates(),
                limits,
                settings.pace(),
                watch);
    }

    GatewayScene start() throws Exception {
        return start(settings -> settings);
    }

    GatewayScene start(UnaryOperator<GatewaySettings> change) throws Exception {
        var started = new Gateway(change.apply(settings(scheduler.uri())));
        gateway = started;
        started.start();
        return this;
    }

    Gateway gateway() {
        return Objects.requireNonNull(gateway, "start first");
    }

    /// A replica of pool `chat` that the scheduler calls ready.
    ScriptedReplica replica(String job) throws IOException {
        return replica(job, "ready");
    }

    ScriptedReplica replica(String job, String state) throws IOException {
        var replica = new ScriptedReplica();
        replicas.add(replica);
        scheduler.replica("chat", job, state, replica.port());
        return replica;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + gateway().port() + path);
    }

    CompletableFuture<HttpResponse<String>> ask(String path, String body, String... headers) {
        var request =
                HttpRequest.newBuilder(uri(path))
                        .timeout(PATIENCE)
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> chat(String... headers) {
        return ask("/pools/chat/v1/chat/completions", CHAT, headers);
    }

    String page(String path) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(uri(path)).timeout(PATIENCE).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /// A page, for conditions.
    String text(String path) {
        try {
            return page(path);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    ScriptedReplica replicaAt(int index) {
        return replicas.get(index);
    }

    int portOf(int index) {
        return replicas.get(index).port();
    }

    /// Waits until the number is above zero and has stayed the same for a while.
    static void untilSteady(IntSupplier number) {
        int[] seen = {0, 0};
        until(
                "the number is steady",
                () -> {
                    int now = number.getAsInt();
                    seen[1] = now > 0 && now == seen[0] ? seen[1] + 1 : 0;
                    seen[0] = now;
                    return seen[1] > 300;
                });
    }

    static String servedBy(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-gpu-scheduler-replica").orElse("nobody");
    }

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
        http.shutdownNow();
        for (ScriptedReplica replica : replicas) {
            replica.close();
        }
        scheduler.close();
    }
}
