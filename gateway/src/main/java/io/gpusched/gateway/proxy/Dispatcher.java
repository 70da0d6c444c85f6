package io.gpusched.gateway.proxy;

import io.gpusched.gateway.admit.TenantRates;
import io.gpusched.gateway.http.AnswerHead;
import io.gpusched.gateway.loop.EventLoop;
import io.gpusched.gateway.measure.AnswerMeter;
import io.gpusched.gateway.pool.PoolConfig;
import io.gpusched.gateway.pool.ReplicaChooser;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;
import io.gpusched.gateway.pool.SessionKey;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;

/// Finds a replica for every request: now, later, or another one if the first fails.
///
/// A request is tried again as long as the client has not seen a byte of its answer, and never
/// after. A request for which there is no replica waits, within bounds of number and time.
final class Dispatcher implements ReplicaSocket.Owner {
    private static final long RETRY_AFTER_SECONDS = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    private final EventLoop loop;
    private final ProxyLimits limits;
    private final TenantRates rates;
    private final ReplicaChooser chooser;
    private final ReplicaSockets sockets;
    private final HeldRequests held = new HeldRequests();

    /// Requests that have no answer yet or whose answer is not complete.
    private final LinkedHashSet<Forwarding> running = new LinkedHashSet<>();

    Dispatcher(EventLoop loop, ProxyLimits limits, TenantRates rates) {
        this.loop = loop;
        this.limits = limits;
        this.rates = rates;
        chooser = new ReplicaChooser(limits.replicaRequests());
        sockets = new ReplicaSockets(loop, limits.timeouts());
    }

    /// Takes a request that may use its pool.
    void start(Forwarding forwarding) {
        running.add(forwarding);
        if (forwarding.pool.held() > 0) {
            hold(forwarding);
            release(forwarding.pool);
        } else if (!place(forwarding)) {
            hold(forwarding);
        }
    }

    int active() {
        return running.size();
    }

    /// The client went away: its request is given up, and the replica can stop working on it.
    void cancel(Forwarding forwarding) {
        if (!forwarding.ended) {
            forwarding.pool.meter().disconnected();
            spend(forwarding);
            ReplicaSocket socket = forwarding.socket;
            leave(forwarding);
            if (socket != null) {
                socket.cancel();
            }
            end(forwarding);
        }
    }

    /// The replica is not expected to answer: requests that it has not begun to answer are moved.
    void moveFrom(ServedReplica replica) {
        if (replica.unanswered() == 0) {
            return;
        }
        for (Forwarding each : running.toArray(Forwarding[]::new)) {
            ReplicaSocket socket = each.socket;
            if (each.replica == replica && each.meter == null && socket != null) {
                socket.cancel();
                failed(
                        socket,
                        each,
                        new ReplicaSocket.Failure(
                                504,
                                replica.isLost()
                                        ? "it does not answer its health probe"
                                        : "the scheduler no longer lists it",
                                false,
                                false,
                                true));
            }
        }
    }

    /// Sends requests that wait for a replica, as far as replicas can take them.
    void release(ServedPool pool) {
        for (Forwarding next = held.first(pool); next != null; next = held.first(pool)) {
            if (!place(next)) {
                return;
            }
        }
    }

    void sweep(long now) {
        sockets.sweep(now);
        for (Forwarding late : held.heldLongerThan(limits.hold(), now)) {
            reject(
                    late,
                    503,
                    "no_replica",
                    "no replica became ready within " + limits.hold().toSeconds() + " s");
        }
        for (ServedPool pool : held.pools()) {
            release(pool);
            Forwarding next = pool.isListed() ? null : held.first(pool);
            while (next != null) {
                rejectDeleted(next);
                next = held.first(pool);
            }
        }
    }

    /// Nothing will answer what waits for a pool that the scheduler no longer lists.
    private void rejectDeleted(Forwarding forwarding) {
        String name = forwarding.pool.name();
        reject(forwarding, 503, "no_pool", "pool %s was deleted".formatted(name));
    }

    private boolean place(Forwarding forwarding) {
        ServedReplica replica =
                chooser.choose(forwarding.pool, forwarding.session, forwarding.tried, loop.now());
        if (replica == null) {
            return false;
        }
        held.remove(forwarding);
        forwarding.attempts++;
        send(forwarding, replica, false);
        return true;
    }

    private void send(Forwarding forwarding, ServedReplica replica, boolean fresh) {
        replica.begin(forwarding.promptTokens);
        forwarding.replica = replica;
        forwarding.sentAt = loop.now();
        try {
            ReplicaSocket socket = sockets.take(replica, this, fresh);
            forwarding.socket = socket;
            socket.send(forwarding);
        } catch (IOException e) {
            leave(forwarding);
            replica.requestFailed(loop.now(), true);
            retry(forwarding, replica, 502, String.valueOf(e.getMessage()));
        }
    }

    private void hold(Forwarding forwarding) {
        ServedPool pool = forwarding.pool;
        if (!pool.isListed()) {
            rejectDeleted(forwarding);
        } else if (pool.held() >= limits.heldRequests()) {
            boolean serving = pool.isServing();
            reject(
                    forwarding,
                    serving ? 429 : 503,
                    serving ? "pool_full" : "no_replica",
                    "%s requests of pool %s already wait for a replica"
                            .formatted(pool.held(), pool.name()));
        } else {
            held.add(forwarding, loop.now());
        }
    }

    @Override
    public void failed(ReplicaSocket socket, Forwarding forwarding, ReplicaSocket.Failure failure) {
        ServedReplica replica = socket.replica();
        leave(forwarding);
        if (failure.reused() && replica.isReady()) {
            send(forwarding, replica, true);
            return;
        }
        replica.requestFailed(loop.now(), failure.refused());
        if (failure.retry()) {
            retry(forwarding, replica, failure.status(), failure.reason());
        } else {
            giveUp(forwarding, failure.status(), failure.reason());
        }
    }

    private void retry(Forwarding forwarding, ServedReplica replica, int status, String reason) {
        forwarding.tried.add(replica.jobId());
        if (forwarding.attempts > limits.retries()) {
            giveUp(forwarding, status, reason);
            return;
        }
        forwarding.pool.meter().retried();
        if (!place(forwarding)) {
            // The replicas that failed may be the only ones; later they are as good as any.
            forwarding.tried.clear();
            hold(forwarding);
        }
    }

    private void giveUp(Forwarding forwarding, int status, String reason) {
        forwarding.pool.meter().missed();
        GatewayAnswer answer =
                GatewayAnswer.error(
                        status,
                        "replica_failed",
                        "a replica of pool %s failed: %s"
                                .formatted(forwarding.pool.name(), reason));
        finish(forwarding, answer);
    }

    @Override
    public boolean isRetried(Forwarding forwarding, AnswerHead head) {
        if (!isFailure(head.status())
                || forwarding.attempts > limits.retries()
                || forwarding.replica == null) {
            return false;
        }
        var tried = new HashSet<>(forwarding.tried);
        tried.add(forwarding.replica.jobId());
        return chooser.choose(forwarding.pool, SessionKey.NONE, tried, loop.now()) != null;
    }

    @Override
    public void answerBegan(Forwarding forwarding, AnswerHead head, AnswerMeter meter) {
        forwarding.status = head.status();
        forwarding.pool.meter().answeredWith(head.status());
        if (forwarding.replica != null) {
            forwarding.replica.answerBegan(forwarding.promptTokens);
        }
    }

    @Override
    public void complete(ReplicaSocket socket, Forwarding forwarding, boolean keepAlive) {
        AnswerMeter meter = forwarding.meter;
        if (meter != null) {
            spend(forwarding);
            measure(forwarding, meter);
        }
        leave(forwarding);
        end(forwarding);
        sockets.give(socket);
        forwarding.client.finish(keepAlive);
        release(forwarding.pool);
    }

    private void measure(Forwarding forwarding, AnswerMeter meter) {
        long firstTokenAt = meter.firstTokenAt();
        long total = loop.now() - forwarding.arrivedAt;
        long first = firstTokenAt == 0 ? 0 : Math.max(1, firstTokenAt - forwarding.arrivedAt);
        ServedPool pool = forwarding.pool;
        boolean met =
                !isFailure(forwarding.status) && isMet(pool.config().slo(), meter, first, total);
        pool.meter().answered(meter, first, total, met);
    }

    /// Whether the replica could not do what the client may expect of it.
    private static boolean isFailure(int status) {
        return status >= 500 || status == 429;
    }

    /// Counts what the replica has generated, also where the client left or the replica failed
    /// before the end: a tenant could avoid its token rate otherwise.
    private void spend(Forwarding forwarding) {
        AnswerMeter meter = forwarding.meter;
        if (meter == null) {
            return;
        }
        meter.end();
        forwarding.pool.meter().generated(meter, loop.now());
        rates.spend(forwarding.tenant, meter.outputTokens(), loop.now());
        ServedReplica replica = forwarding.replica;
        if (replica != null) {
            long firstTokenAt = meter.firstTokenAt();
            long counted = meter.promptTokens();
            replica.answered(
                    counted < 0 ? forwarding.promptTokens : counted,
                    meter,
                    firstTokenAt == 0 ? 0 : Math.max(1, firstTokenAt - forwarding.sentAt));
        }
    }

    /// A plain answer shows no single token. It meets the objectives when a stream that just meets
    /// them would have ended no later.
    private static boolean isMet(
            PoolConfig.Objectives slo, AnswerMeter meter, long first, long total) {
        long output = Math.max(1, meter.outputTokens());
        double interToken = meter.interTokenNanos() / NANOS_PER_MILLI;
        double allowed = slo.firstTokenMillis() + slo.interTokenMillis() * (output - 1);
        boolean inTime =
                meter.isStream()
                        ? within(first / NANOS_PER_MILLI, slo.firstTokenMillis())
                                && within(interToken, slo.interTokenMillis())
                        : slo.interTokenMillis() == 0 || within(total / NANOS_PER_MILLI, allowed);
        double seconds = total / 1e9;
        return inTime && (slo.tokensPerSecond() == 0 || output >= slo.tokensPerSecond() * seconds);
    }

    private static boolean within(double value, double most) {
        return most <= 0 || value <= most;
    }

    @Override
    public void broken(ReplicaSocket socket, Forwarding forwarding, String reason) {
        forwarding.pool.meter().broke();
        spend(forwarding);
        socket.replica().requestFailed(loop.now(), false);
        leave(forwarding);
        end(forwarding);
        // The client must not take a cut answer for a whole one.
        forwarding.client.close();
        release(forwarding.pool);
    }

    @Override
    public void closed(ReplicaSocket socket) {
        sockets.remove(socket);
    }

    /// Takes the request from the replica that has it, or from those that wait.
    private void leave(Forwarding forwarding) {
        ServedReplica replica = forwarding.replica;
        if (replica != null) {
            if (forwarding.meter == null) {
                replica.answerBegan(forwarding.promptTokens);
            }
            replica.end(forwarding.promptTokens);
        }
        held.remove(forwarding);
        forwarding.replica = null;
        forwarding.socket = null;
    }

    private void end(Forwarding forwarding) {
        if (!forwarding.ended) {
            forwarding.ended = true;
            running.remove(forwarding);
        }
    }

    private void reject(Forwarding forwarding, int status, String code, String message) {
        forwarding.pool.meter().rejected(code);
        held.remove(forwarding);
        finish(forwarding, GatewayAnswer.error(status, code, message, RETRY_AFTER_SECONDS));
    }

    private void finish(Forwarding forwarding, GatewayAnswer answer) {
        forwarding.pool.meter().answeredWith(answer.status());
        end(forwarding);
        forwarding.client.answer(answer, false);
    }

    /// Lets a replica be read again whose client was slow.
    void resume(@Nullable Forwarding forwarding) {
        if (forwarding != null && forwarding.socket != null) {
            forwarding.socket.resume();
        }
    }
}
