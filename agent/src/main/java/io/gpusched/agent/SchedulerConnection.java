package io.gpusched.agent;

import io.gpusched.agent.notice.Announcement;
import io.gpusched.agent.task.Lease;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.NodeReading;
import io.gpusched.wire.proto.agent.RegisterAgentResponse;
import io.gpusched.wire.proto.agent.ReportMetricsRequest;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Keeps a session with the scheduler open, and opens a new one whenever it ends.
///
/// One thread: register, open the streams, send heartbeats and metrics until something fails, wait
/// a little longer after each failure, start over. The [Listener] handles the messages.
final class SchedulerConnection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SchedulerConnection.class);
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /// Delay after a session that the scheduler had accepted.
    private static final Duration LONGEST_PAUSE_AFTER_SESSION = Duration.ofMillis(800);

    /// A session that lasted this long worked; the delay before the next one starts small again.
    private static final Duration LASTING = Duration.ofSeconds(2);

    private static final long CALL_SECONDS = 15;

    /// Receives events of sessions. Messages of one session come in order, between its opening and
    /// its end.
    interface Listener {
        void opened(AgentSession agentSession);

        void received(AgentSession agentSession, ServerMessage message);

        void closed(AgentSession agentSession);
    }

    private final AgentIdentity agentIdentity;
    private final ManagedChannel channel;
    private final Supplier<String> token;
    private final Lease lease;
    private final TermFile termFile;
    private final Listener listener;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private @Nullable String lastProblem;

    SchedulerConnection(
            AgentIdentity agentIdentity,
            ConnectionSettings connectionSettings,
            Lease lease,
            TermFile termFile,
            Listener listener) {
        this.agentIdentity = agentIdentity;
        this.channel = connectionSettings.channel();
        this.token = connectionSettings.token();
        this.lease = lease;
        this.termFile = termFile;
        this.listener = listener;
        this.thread = Thread.ofPlatform().name("agent-uplink").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Ends the session. Tasks keep running: their lease outlasts a restart of the agent.
    @Override
    public void close() {
        closing.countDown();
        channel.shutdownNow();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (closing.getCount() > 0) {
            Duration longest = LONGEST_PAUSE;
            long began = System.nanoTime();
            try {
                runSession();
                longest = LONGEST_PAUSE_AFTER_SESSION;
            } catch (StatusRuntimeException e) {
                logOnce(ConnectionFailure.explain(e.getStatus()));
            } catch (UncheckedIOException e) { // An unreadable token, say.
                logOnce(e.getMessage());
            } catch (RuntimeException e) { // A probe that fails, say.
                logOnce(e.toString());
            }
            boolean lasted = System.nanoTime() - began > LASTING.toNanos();
            pause = lasted ? FIRST_PAUSE : pause;
            pause(pause);
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(longest) < 0 ? longer : longest;
        }
    }

    private void runSession() {
        channel.resetConnectBackoff();
        Channel authorised = authorised();
        RegisterAgentResponse answer =
                AgentServiceGrpc.newBlockingStub(authorised)
                        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                        .registerAgent(agentIdentity.request());
        if (!termFile.accept(answer.getTerm())) {
            throw Status.FAILED_PRECONDITION
                    .withDescription(
                            "this scheduler (term %s) has been replaced by a newer one (term %s); if there is no newer one, stop the agent and delete %s"
                                    .formatted(
                                            answer.getTerm(), termFile.highest(), termFile.where()))
                    .asRuntimeException();
        }
        log.info(
                "opened session {} with the scheduler, term {}",
                answer.getSession(),
                answer.getTerm());
        lastProblem = null;
        try (AgentSession agentSession =
                new AgentSession(answer.getSession(), authorised, lease, listener)) {
            listener.opened(agentSession);
            beat(agentSession, answer);
        }
    }

    private void beat(AgentSession agentSession, RegisterAgentResponse intervals) {
        long metricsEvery =
                TimeUnit.MILLISECONDS.toNanos(Math.max(100, intervals.getMetricsMillis()));
        long beatMillis = Math.max(50, intervals.getHeartbeatMillis());
        long patience = TimeUnit.MILLISECONDS.toNanos(3 * beatMillis + 5_000);
        long metricsAt = System.nanoTime();
        Set<Announcement> told = Set.of();
        while (closing.getCount() > 0) {
            agentSession.beat();
            Set<Announcement> announced = announced();
            boolean due = System.nanoTime() - metricsAt >= 0 || !announced.equals(told);
            if (due && !agentIdentity.nodes().isEmpty()) {
                agentSession.sendMetrics(readings(agentSession));
                metricsAt = System.nanoTime() + metricsEvery;
                told = announced;
            }
            if (agentSession.awaitEnd(Duration.ofMillis(beatMillis))) {
                return;
            }
            if (agentSession.silentFor() > patience) {
                log.warn("the scheduler has stopped answering heartbeats; opening a new session");
                return;
            }
        }
    }

    private ReportMetricsRequest readings(AgentSession agentSession) {
        ReportMetricsRequest.Builder request =
                ReportMetricsRequest.newBuilder().setSession(agentSession.number());
        for (ServedNode node : agentIdentity.nodes()) {
            NodeReading.Builder reading =
                    NodeReading.newBuilder().setNodeId(node.id()).addAllGpus(node.probe().read());
            Announcement announcement = node.notices().announced();
            if (announcement != null) {
                Duration left = announcement.left(Instant.now());
                reading.setTakenAwayInMillis(left.toMillis());
            }
            request.addNodes(reading);
        }
        return request.build();
    }

    /// A new announcement is sent at once, with the next heartbeat.
    private Set<Announcement> announced() {
        var all = new HashSet<Announcement>();
        for (ServedNode node : agentIdentity.nodes()) {
            Announcement announcement = node.notices().announced();
            if (announcement != null) {
                all.add(announcement);
            }
        }
        return all;
    }

    private Channel authorised() {
        String secret = token.get();
        if (secret.isEmpty()) {
            return channel;
        }
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + secret);
        return ClientInterceptors.intercept(
                channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /// Logs each problem once, not at every attempt.
    private void logOnce(@Nullable String problem) {
        if (closing.getCount() > 0 && !Objects.equals(problem, lastProblem)) {
            log.warn("{}; trying again", problem);
            lastProblem = problem;
        }
    }

    /// Waits for a randomised delay, so that a fleet does not reconnect all at once.
    private void pause(Duration about) {
        long millis = ThreadLocalRandom.current().nextLong(about.toMillis() / 2, about.toMillis());
        try {
            var _ = closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closing.countDown();
        }
    }
}
