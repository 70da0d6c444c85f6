package io.gpusched.server.agents;

import io.gpusched.core.cell.Launcher;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Everything that connects a server to its agents.
///
///     agents ──gRPC──▶ service() ──▶ ReportInbox ──▶ the cell
///     agents ◀──gRPC── service() ◀── launcher() ◀─── the cell
///
/// Start it only after this server has taken charge (its term is recorded), and call [#expect] for
/// every agent the ledger knows: their silence is counted from then.
public final class Agents implements AutoCloseable {
    private static final Duration WATCH_EVERY = Duration.ofMillis(500);

    private final Fleet fleet;
    private final AgentLauncher launcher;
    private final Telemetry telemetry;
    private final LogRelay logs;
    private final ReportInbox inbox;
    private final ServerServiceDefinition service;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread watch;

    /// What differs between servers.
    ///
    /// @param term of this server, under which it speaks to agents
    /// @param mayLead false once another server may have taken charge: no lease is given then
    /// @param clock nanoseconds that never step
    public record Setup(
            AgentTimes times,
            HeatScale heat,
            JoinTokens tokens,
            long term,
            Supplier<Boolean> mayLead,
            LongSupplier clock) {
        /// The usual setup of a server that lets everybody in.
        public static Setup open(long term) {
            return new Setup(
                    AgentTimes.DEFAULT,
                    HeatScale.DEFAULT,
                    JoinTokens.OPEN,
                    term,
                    () -> true,
                    System::nanoTime);
        }

        public Setup with(AgentTimes other) {
            return new Setup(other, heat, tokens, term, mayLead, clock);
        }

        public Setup with(HeatScale other) {
            return new Setup(times, other, tokens, term, mayLead, clock);
        }

        public Setup with(JoinTokens other) {
            return new Setup(times, heat, other, term, mayLead, clock);
        }
    }

    public Agents(Setup setup, ReportInbox inbox) {
        this.inbox = inbox;
        this.fleet = new Fleet(setup.times, setup.clock);
        this.launcher = new AgentLauncher(fleet);
        this.telemetry = new Telemetry(setup.heat, inbox);
        this.logs = new LogRelay(fleet);
        AgentEndpoint endpoint =
                new AgentEndpoint(
                        new Conversation.Parts(fleet, launcher, inbox, logs),
                        telemetry,
                        setup.times,
                        setup.term,
                        () -> setup.mayLead.get() ? setup.times.lease() : Duration.ZERO);
        this.service = ServerInterceptors.intercept(endpoint, new JoinCheck(setup.tokens));
        this.watch = Thread.ofPlatform().name("agent-silence").daemon().unstarted(this::watch);
    }

    /// Begins to measure silence.
    public void start() {
        watch.start();
    }

    /// The gRPC service; whoever runs the gRPC server adds it there.
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

    /// Tells of an agent that the ledger knows from before this server's time.
    public void expect(Agent agent, List<Node> nodes) {
        fleet.expect(agent, nodes);
    }

    /// When the node's agent was last heard by this server; null if never.
    public @Nullable Instant heardAt(NodeId node) {
        return fleet.heardAt(node);
    }

    @Override
    public void close() {
        closing.countDown();
        fleet.close();
    }

    private void watch() {
        try {
            while (!closing.await(WATCH_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                for (Fleet.Silence silence : fleet.overdue()) {
                    inbox.tell(silence.report(), () -> {});
                    fleet.told(silence);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
