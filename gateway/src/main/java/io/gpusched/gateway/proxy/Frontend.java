package io.gpusched.gateway.proxy;

import io.gpusched.gateway.admit.KeyCache;
import io.gpusched.gateway.admit.KeyOwner;
import io.gpusched.gateway.admit.TenantRates;
import io.gpusched.gateway.http.ClientRequest;
import io.gpusched.gateway.loop.EventLoop;
import io.gpusched.gateway.measure.PromptScan;
import io.gpusched.gateway.pool.PoolTable;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/// Decides for every request whether it may go on, and to which pool.
public final class Frontend implements ClientSocket.Owner {
    private static final String POOLS = "/pools/";
    private static final String API = "/v1/";
    private static final String BEARER = "Bearer ";
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /// Pages that the gateway answers itself.
    public record OwnAnswers(Supplier<String> metrics, Supplier<String> status) {}

    private final EventLoop loop;
    private final ProxyLimits limits;
    private final PoolTable pools;
    private final @Nullable KeyCache keys;
    private final TenantRates rates;
    private final Dispatcher dispatcher;
    private final ReusedAnswer metrics;
    private final ReusedAnswer status;
    private final Set<ClientSocket> clients = new HashSet<>();
    private final RequestBytes requestBytes;
    private boolean stopping;

    /// @param keys null where everybody may use every pool
    public Frontend(
            EventLoop loop,
            ProxyLimits limits,
            PoolTable pools,
            @Nullable KeyCache keys,
            TenantRates rates,
            OwnAnswers answers) {
        this.loop = loop;
        this.limits = limits;
        this.pools = pools;
        this.keys = keys;
        this.rates = rates;
        metrics =
                new ReusedAnswer(
                        () -> GatewayAnswer.text(METRICS_TYPE, answers.metrics.get()),
                        System::nanoTime);
        status =
                new ReusedAnswer(
                        () -> GatewayAnswer.json(200, answers.status.get()), System::nanoTime);
        dispatcher = new Dispatcher(loop, limits, rates);
        requestBytes = new RequestBytes(limits.bufferedBytes());
    }

    /// Whether another client can connect.
    boolean hasRoom() {
        return clients.size() < limits.connections();
    }

    void connected(SocketChannel channel) throws IOException {
        clients.add(new ClientSocket(loop, channel, this, limits, requestBytes));
    }

    /// To be called a few times a second.
    public void sweep(long now) {
        dispatcher.sweep(now);
    }

    public int connections() {
        return clients.size();
    }

    /// Requests that wait, or whose answer is not complete.
    public int active() {
        return dispatcher.active();
    }

    /// Refuses new requests from now on.
    public void stop() {
        stopping = true;
    }

    /// The readiness of replicas has changed.
    public void changed(ServedPool pool) {
        dispatcher.release(pool);
    }

    /// The replica no longer answers probes, or the scheduler no longer lists it.
    public void lost(ServedReplica replica) {
        dispatcher.moveFrom(replica);
    }

    @Override
    public void requested(ClientSocket client, ClientRequest head) {
        String path = head.path();
        switch (path) {
            case "/health" -> client.answer(health(), false);
            case "/metrics" -> client.answer(metrics.get(), false);
            case "/status" -> client.answer(status.get(), false);
            default -> {
                if (stopping) {
                    client.answer(stoppingAnswer(), true);
                } else if (isStrange(path) || !path.startsWith(API) && !path.startsWith(POOLS)) {
                    client.answer(
                            GatewayAnswer.error(
                                    404,
                                    "not_found",
                                    "expected /v1/... or /pools/POOL/v1/..., found " + path),
                            false);
                } else {
                    identify(client, head);
                }
            }
        }
    }

    private GatewayAnswer health() {
        if (stopping) {
            return stoppingAnswer();
        }
        return pools.isKnown()
                ? GatewayAnswer.json(200, "{\"status\":\"healthy\"}")
                : GatewayAnswer.error(
                        503, "no_scheduler", "the scheduler has not been reached yet", 1);
    }

    private static GatewayAnswer stoppingAnswer() {
        return GatewayAnswer.error(503, "stopping", "the gateway stops; use another one", 1);
    }

    /// Paths that a replica could read as another path.
    private static boolean isStrange(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        return lower.contains("/.")
                || lower.contains("//")
                || lower.contains("%2e")
                || lower.contains("%2f")
                || lower.contains("\\");
    }

    /// The body is read when the owner of the key is known.
    private void identify(ClientSocket client, ClientRequest head) {
        if (keys == null) {
            identified(client, KeyOwner.Known.ANYBODY);
            return;
        }
        String header = head.fields().first("authorization");
        boolean bearer = header != null && header.regionMatches(true, 0, BEARER, 0, 7);
        String key = header != null && bearer ? header.substring(BEARER.length()).strip() : "";
        keys.find(key, owner -> client.guarded(() -> identified(client, owner)));
    }

    private void identified(ClientSocket client, KeyOwner owner) {
        if (!client.isOpen()) {
            return;
        }
        switch (owner) {
            case KeyOwner.Known known ->
                    client.readBody(request -> resolve(client, request, known));
            case KeyOwner.Unknown _ ->
                    client.answer(
                            GatewayAnswer.error(
                                    401,
                                    "invalid_api_key",
                                    "expected Authorization: Bearer KEY with a token of the"
                                            + " scheduler; create one with gpu-cli create-token"),
                            false);
            case KeyOwner.Unreachable _ ->
                    client.answer(
                            GatewayAnswer.error(
                                    503,
                                    "no_scheduler",
                                    "the scheduler cannot be asked whose key this is",
                                    1),
                            false);
        }
    }

    private void resolve(ClientSocket client, ClientRequest request, KeyOwner.Known owner) {
        String path = request.path();
        if (!path.startsWith(POOLS)) {
            if (path.equals("/v1/models")) {
                client.answer(ModelList.of(pools.pools(), owner), false);
                return;
            }
            PromptScan prompt = PromptScan.of(request.body());
            String model = prompt.model();
            if (model == null) {
                client.answer(path.startsWith(API) ? noModel(prompt) : notFound(path), false);
                return;
            }
            ServedPool pool = pools.serving(model, owner::mayUse);
            accept(client, request, owner, new Candidate(pool, model, request.target(), prompt));
            return;
        }
        int end = path.indexOf('/', POOLS.length());
        String name =
                end < 0 ? path.substring(POOLS.length()) : path.substring(POOLS.length(), end);
        ServedPool pool = pools.named(name);
        if (end < 0 || !path.startsWith(API, end)) {
            client.answer(notFound(path), false);
        } else if (pool != null && owner.mayUse(pool.config()) && path.endsWith("/v1/models")) {
            client.answer(ModelList.of(Set.of(pool), owner), false);
        } else {
            PromptScan prompt = PromptScan.of(request.body());
            String target = request.target().substring(end);
            accept(client, request, owner, new Candidate(pool, name, target, prompt));
        }
    }

    private static GatewayAnswer notFound(String path) {
        return GatewayAnswer.error(
                404, "not_found", "expected /v1/... or /pools/POOL/v1/..., found " + path);
    }

    private static GatewayAnswer noModel(PromptScan prompt) {
        String found = prompt.isJson() ? "the body names no model" : "the body is no JSON object";
        return GatewayAnswer.error(
                400,
                "no_model",
                found + "; add a text \"model\", or send the request to /pools/POOL/v1/...");
    }

    /// @param name what the client named
    private record Candidate(
            @Nullable ServedPool pool, String name, String target, PromptScan prompt) {}

    private void accept(
            ClientSocket client, ClientRequest request, KeyOwner.Known owner, Candidate found) {
        ServedPool pool = found.pool;
        if (pool == null || !owner.mayUse(pool.config())) {
            client.answer(
                    GatewayAnswer.error(
                            404,
                            "model_not_found",
                            "there is no pool or model '%s' for this key; GET /v1/models lists those"
                                            .formatted(found.name)
                                    + " that can be used"),
                    false);
            return;
        }
        long prompt = found.prompt.promptTokens();
        pool.meter().arrived(prompt);
        double wait = rates.take(owner.tenant(), prompt, loop.now());
        if (wait > 0) {
            pool.meter().rejected("token_rate");
            pool.meter().answeredWith(429);
            client.answer(
                    GatewayAnswer.error(
                            429,
                            "token_rate",
                            "tenant %s is over its token rate".formatted(owner.tenant()),
                            (long) Math.ceil(wait)),
                    false);
            return;
        }
        var resolved =
                new Forwarding.Resolved(
                        pool,
                        forReplica(request, found.prompt, pool),
                        owner.tenant(),
                        found.target,
                        prompt);
        var forwarding = new Forwarding(client, resolved, loop.now(), keys == null);
        client.forwarding = forwarding;
        dispatcher.start(forwarding);
    }

    /// Replicas know the name of their model, not the name of the pool.
    private static ClientRequest forReplica(
            ClientRequest request, PromptScan prompt, ServedPool pool) {
        String model = pool.config().model();
        boolean other =
                pool.name().equals(prompt.model())
                        && !model.isEmpty()
                        && !model.equals(pool.name());
        return other ? request.withBody(prompt.withModel(request.body(), model)) : request;
    }

    @Override
    public void closed(ClientSocket client) {
        clients.remove(client);
        if (client.forwarding != null) {
            dispatcher.cancel(client.forwarding);
        }
    }

    @Override
    public void drained(ClientSocket client) {
        dispatcher.resume(client.forwarding);
    }
}
