package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Journal;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.nodes.NodeView;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A scheduler for tests: the real cell on a thread of its own and the real agent service on a
/// loopback port. Closing it is a crash as far as agents can tell; a second one over the same
/// journal and port is the restart.
final class LoopbackScheduler implements AutoCloseable {
    static final AgentTimes QUICK =
            new AgentTimes(
                    Duration.ofSeconds(30),
                    Duration.ofMillis(100),
                    Duration.ofMillis(200),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(2));

    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("test-cell").daemon().factory());
    private final Cell cell;
    private final AgentServices agentServices;
    private final Server server;

    LoopbackScheduler(Journal journal, AgentTimes times) {
        this(journal, times, 1, 0, List.of());
    }

    LoopbackScheduler(
            Journal journal,
            AgentTimes times,
            long term,
            int port,
            List<ServerInterceptor> interceptors) {
        EngineSettings settings = EngineSettings.DEFAULT;
        Engine engine =
                new Engine(
                        Objects.requireNonNull(Policies.named("priority", settings.policy())),
                        settings);
        journal.replay(0, engine::apply);
        agentServices =
                new AgentServices(
                        AgentServices.Setup.open(term)
                                .with(times)
                                .withLeaseBefore(engine.state().agents().lease()),
                        (report, wanted, settled) -> handle(report, settled),
                        death -> {
                            throw new AssertionError(death);
                        });
        cell = new Cell(engine, journal, agentServices.launcher(), (batch, cycleResult) -> {});
        ask(
                () -> {
                    cell.takeCharge(term, "test", "test", Instant.now());
                    expectAgents();
                    return true;
                });
        try {
            server =
                    NettyServerBuilder.forAddress(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                            .addService(
                                    ServerInterceptors.intercept(
                                            agentServices.service(), interceptors))
                            .build()
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        agentServices.start();
        var _ =
                thread.scheduleWithFixedDelay(
                        () -> cell.handle(List.of(), Instant.now()), 50, 50, TimeUnit.MILLISECONDS);
    }

    int port() {
        return server.getPort();
    }

    AgentServices agentServices() {
        return agentServices;
    }

    JobId submit(JobSpec spec) {
        Answer answer =
                ask(
                        () ->
                                cell.handle(
                                                List.of(
                                                        new Command.Submit(
                                                                spec, "", 0, false, "tester")),
                                                Instant.now())
                                        .getFirst());
        if (answer instanceof Answer.Accepted accepted) {
            return Objects.requireNonNull(accepted.job());
        }
        throw new AssertionError("submission was refused: " + answer);
    }

    void tell(Input input) {
        ask(() -> cell.handle(List.of(input), Instant.now()));
    }

    /// The longest lease that agents may hold, as recorded.
    Duration recordedLease() {
        return ask(() -> cell.engine().state().agents().lease());
    }

    Job job(JobId id) {
        return ask(() -> Objects.requireNonNull(cell.engine().state().job(id)));
    }

    Job await(JobId id, String what, Predicate<Job> condition) {
        eventually(what + " for " + id, () -> condition.test(job(id)), () -> job(id));
        return job(id);
    }

    Phase.Running awaitRunning(JobId id) {
        return (Phase.Running)
                await(id, "a running phase", job -> job.phase() instanceof Phase.Running).phase();
    }

    Phase.Ended awaitEnd(JobId id) {
        return (Phase.Ended)
                await(id, "the end", job -> job.phase() instanceof Phase.Ended).phase();
    }

    NodeView awaitNode(String name, Predicate<NodeView> condition) {
        eventually(
                "node " + name + " as the test expects it",
                () ->
                        ask(
                                () -> {
                                    NodeView node =
                                            cell.engine().state().nodes().find(new NodeId(name));
                                    return node != null && condition.test(node);
                                }),
                () ->
                        ask(
                                () ->
                                        String.valueOf(
                                                cell.engine()
                                                        .state()
                                                        .nodes()
                                                        .find(new NodeId(name)))));
        return ask(
                () -> Objects.requireNonNull(cell.engine().state().nodes().find(new NodeId(name))));
    }

    boolean knows(String node) {
        return ask(() -> cell.engine().state().nodes().find(new NodeId(node)) != null);
    }

    @Override
    public void close() {
        server.shutdownNow();
        agentServices.close();
        thread.shutdownNow();
        try {
            var _ = server.awaitTermination(10, TimeUnit.SECONDS);
            var _ = thread.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(Input input, Runnable settled) {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(() -> cell.handle(List.of(input), Instant.now(), answers -> settled.run()));
    }

    private void expectAgents() {
        for (NodeView node : cell.engine().state().nodes().all()) {
            var agent = cell.engine().state().agents().find(node.facts().agent());
            List<Node> all = new ArrayList<>();
            cell.engine()
                    .state()
                    .nodes()
                    .all()
                    .forEach(
                            other -> {
                                if (other.facts().agent().equals(node.facts().agent())) {
                                    all.add(other.facts());
                                }
                            });
            if (agent != null) {
                agentServices.expect(agent, all);
            }
        }
    }

    private <T> T ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, thread).join();
    }
}
