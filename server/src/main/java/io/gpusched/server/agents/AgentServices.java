package io.gpusched.server.agents;

import io.gpusched.core.cell.Launcher;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Everything that connects a server to its agents.
///
///     agents ──gRPC──▶ service() ──▶ ReportInbox ──▶ the cell
///     agents ◀──gRPC── service() ◀── launcher() ◀─── the cell
///
/// Before the start, this server must have taken charge (its term is recorded), and [#expect] must
/// have been called for every agent of the recovered state: their silence is counted from then.
public final class AgentServices implements AgentPresence, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentServices.class);
    private static final Duration WATCH_EVERY = Duration.ofMillis(500);

    /// A revoked join token ends the agent's streams after this long at the latest. An agent that
    /// sends heartbeats or is about to get a job is checked at that moment.
    private static final Duration CHECK_TOKENS_EVERY = Duration.ofSeconds(10);

    private final AgentTimes times;
    private final AgentRegistry agentRegistry;
    private final AgentLauncher launcher;
    private final Telemetry telemetry;
    private final LogRelay logs;
    private final ReportInbox inbox;
    private final Consumer<Throwable> onDeath;
    private final ServerServiceDefinition service;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongSupplier clock;
    private final Thread watch;
    private volatile Duration bound;
    private long tokensCheckedAt;

    /// The parameters of the agent services.
    ///
    /// @param term of this server; its messages to agents carry it
    /// @param leaseBefore the longest lease that agents may hold from earlier servers
    /// @param inChargeAt the last moment, on `clock`, at which this server certainly owned the
    ///        store: a lease is counted from then, because another server may have taken charge
    ///        right after
    /// @param clock monotonic nanoseconds
    /// @param time the time that the cell decides by
    public record Setup(
            AgentTimes times,
            HeatQuantizer heat,
            JoinTokens tokens,
            long term,
            Duration leaseBefore,
            LongSupplier inChargeAt,
            LongSupplier clock,
            InstantSource time) {
        /// The usual setup of a server that admits every agent and that no other server can
        /// replace.
        public static Setup open(long term) {
            return new Setup(
                    AgentTimes.DEFAULT,
                    HeatQuantizer.DEFAULT,
                    JoinTokens.OPEN,
                    term,
                    Duration.ZERO,
                    System::nanoTime,
                    System::nanoTime,
                    InstantSource.system());
        }

        public Setup with(AgentTimes other) {
            return new Setup(other, heat, tokens, term, leaseBefore, inChargeAt, clock, time);
        }

        public Setup with(HeatQuantizer other) {
            return new Setup(times, other, tokens, term, leaseBefore, inChargeAt, clock, time);
        }

        public Setup with(JoinTokens other) {
            return new Setup(times, heat, other, term, leaseBefore, inChargeAt, clock, time);
        }

        public Setup withProof(LongSupplier newestProof) {
            return new Setup(times, heat, tokens, term, leaseBefore, newestProof, clock, time);
        }

        public Setup withLeaseBefore(Duration longest) {
            return new Setup(times, heat, tokens, term, longest, inChargeAt, clock, time);
        }

        public Setup with(InstantSource cellTime) {
            return new Setup(times, heat, tokens, term, leaseBefore, inChargeAt, clock, cellTime);
        }

        /// The lease that may be granted now: the rest of one that began when this server last
        /// certainly owned the store.
        private Duration grant() {
            Duration rest = times.lease().minusNanos(clock.getAsLong() - inChargeAt.getAsLong());
            return rest.isNegative() ? Duration.ZERO : rest;
        }
    }

    /// @param onDeath called if silence can no longer be measured: a server that goes on without it
    ///        would never notice a broken machine
    public AgentServices(Setup setup, ReportInbox inbox, Consumer<Throwable> onDeath) {
        this.inbox = inbox;
        this.onDeath = onDeath;
        this.clock = setup.clock;
        this.tokensCheckedAt = setup.clock.getAsLong();
        this.times = setup.times;
        this.bound = setup.leaseBefore;
        this.agentRegistry = new AgentRegistry(setup.times, setup.leaseBefore, setup.clock);
        this.launcher = new AgentLauncher(agentRegistry);
        this.telemetry = new Telemetry(setup.heat, inbox);
        this.logs = new LogRelay(agentRegistry);
        AgentEndpoint endpoint =
                new AgentEndpoint(
                        new AgentSession.Parts(
                                agentRegistry, launcher, inbox, logs, telemetry, setup.time),
                        telemetry,
                        setup.times,
                        setup.term,
                        () -> shorter(setup.grant(), bound));
        this.service = ServerInterceptors.intercept(endpoint, new JoinCheck(setup.tokens));
        this.watch = Thread.ofPlatform().name("agent-silence").daemon().unstarted(this::watch);
    }

    /// Begins to measure silence. The server first records the longest lease that agents may hold;
    /// until then it grants no longer one.
    public void start() {
        watch.start();
    }

    private void record(Duration lease) {
        LOG.debug("no agent holds a lease of more than {} s", lease.toSeconds());
        inbox.tell(new Report.LeaseBound(lease), () -> bound = lease);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// The gRPC service, to be added to the gRPC server.
    public ServerServiceDefinition service() {
        return service;
    }

    public Launcher launcher() {
        return launcher;
    }

    public LogSource logs() {
        return logs;
    }

    public Telemetry telemetry() {
        return telemetry;
    }

    /// Registers an agent of the recovered state.
    public void expect(Agent agent, List<Node> nodes) {
        agentRegistry.expect(agent, nodes);
    }

    /// Forgets a removed node: its readings and its assignment.
    public void forget(NodeId node) {
        telemetry.forget(node);
        launcher.forget(node);
    }

    /// How many nodes, devices and gangs are kept in memory.
    public int remembered() {
        return telemetry.size() + launcher.size();
    }

    @Override
    public AgentPresence.@Nullable Contact contact(NodeId node) {
        return agentRegistry.contact(node);
    }

    @Override
    public void reportIfAway(NodeId node) {
        AgentRegistry.Silence away = agentRegistry.away(node);
        if (away == null) {
            return;
        }
        try {
            inbox.tell(away.report(), () -> {});
        } catch (RuntimeException full) {
            agentRegistry.notReported(away);
            throw full;
        }
        agentRegistry.reported(away);
    }

    @Override
    public void close() {
        closing.countDown();
        agentRegistry.close();
    }

    private void watch() {
        Duration before = bound;
        boolean shortens = times.lease().compareTo(before) < 0;
        try {
            record(shortens ? before : times.lease());
            while (!closing.await(WATCH_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                for (AgentRegistry.Silence silence : agentRegistry.overdue()) {
                    inbox.tell(silence.report(), () -> {});
                    agentRegistry.reported(silence);
                }
                if (shortens && agentRegistry.areOldLeasesOver()) {
                    shortens = false;
                    record(times.lease());
                }
                checkTokens();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            if (closing.getCount() > 0) {
                LOG.error("the silence of agents is no longer measured", broken);
                onDeath.accept(broken);
            }
        }
    }

    private void checkTokens() {
        long now = clock.getAsLong();
        if (now - tokensCheckedAt >= CHECK_TOKENS_EVERY.toNanos()) {
            tokensCheckedAt = now;
            agentRegistry.sessions().forEach(AgentSession::checkToken);
        }
    }
}
