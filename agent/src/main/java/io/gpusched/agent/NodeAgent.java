package io.gpusched.agent;

import io.gpusched.agent.model.ModelHost;
import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.Lease;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.Hello;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// An agent: receives assignments from a scheduler, lets a [TaskHost] carry them out, and reports.
///
/// One thread owns all of it. Several times a second, and at once after a signal, it repeats the
/// same three steps: make the host follow the assignment, look at the tasks, report what changed. A
/// host with many nodes names what has changed, and only that is looked at.
/// Nothing depends on a message arriving exactly once; see the head of `agent.proto`.
///
/// Closing an agent ends the session; the tasks keep running.
public final class NodeAgent implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NodeAgent.class);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration TIDY_EVERY = Duration.ofMinutes(1);
    private static final Duration LOG_EVERY = Duration.ofSeconds(10);

    /// If the queue is full, the stream from the scheduler waits until the agent has caught up.
    private static final int MOST_SIGNALS = 1024;

    private sealed interface Signal {
        record Opened(AgentSession agentSession) implements Signal {}

        record Received(AgentSession agentSession, ServerMessage message) implements Signal {}

        record Closed(AgentSession agentSession) implements Signal {}

        record Changed() implements Signal {}

        record Stop() implements Signal {}
    }

    private final TaskHost host;
    private final DesiredState desiredState;
    private final ReportOutbox reportOutbox = new ReportOutbox();
    private final PendingLogRequests pendingLogRequests;
    private final BlockingQueue<Signal> signals = new ArrayBlockingQueue<>(MOST_SIGNALS);
    private final SchedulerConnection schedulerConnection;
    private final Thread thread;
    private @Nullable AgentSession agentSession;
    private @Nullable ModelCaches models;
    private boolean failed;
    private long tidyAt = System.nanoTime();
    private long nextLogAt = System.nanoTime();

    public NodeAgent(
            AgentIdentity agentIdentity,
            ConnectionSettings connectionSettings,
            TaskHost host,
            Lease lease,
            TermFile termFile) {
        this.host = host;
        this.desiredState = new DesiredState(termFile);
        this.pendingLogRequests = new PendingLogRequests(host, System::nanoTime);
        this.schedulerConnection =
                new SchedulerConnection(
                        agentIdentity, connectionSettings, lease, termFile, new Mailbox());
        this.thread = Thread.ofPlatform().name("agent-tasks").unstarted(this::run);
    }

    /// Keeps models in these caches, as the scheduler orders; before [#start].
    public void keep(ModelHost caches) {
        models = new ModelCaches(caches);
    }

    public void start() {
        if (models != null) {
            models.start(() -> signals.offer(new Signal.Changed()));
        }
        host.watch(() -> signals.offer(new Signal.Changed())); // Full: we are about to look anyway.
        thread.start();
        schedulerConnection.start();
    }

    @Override
    public void close() {
        if (models != null) {
            models.close();
        }
        schedulerConnection.close();
        put(new Signal.Stop());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean running = true;
        while (running) {
            try {
                running = handleSignals();
                step();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) { // A full disk, say. It may pass; tasks are guarded.
                logSparingly(e);
            }
        }
    }

    private void logSparingly(RuntimeException problem) {
        if (System.nanoTime() - nextLogAt >= 0) {
            nextLogAt = System.nanoTime() + LOG_EVERY.toNanos();
            log.error("a step of the agent failed; it will be repeated", problem);
        }
    }

    private boolean handleSignals() throws InterruptedException {
        Signal signal = signals.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
        while (signal != null) {
            switch (signal) {
                case Signal.Opened opened -> open(opened.agentSession);
                case Signal.Received received -> {
                    if (received.agentSession.equals(agentSession)) {
                        handle(received.message, received.agentSession);
                    }
                }
                case Signal.Closed closed -> {
                    if (closed.agentSession.equals(agentSession)) {
                        agentSession = null;
                        pendingLogRequests.clear();
                    }
                }
                case Signal.Changed changed -> {}
                case Signal.Stop stop -> {
                    return false;
                }
            }
            signal = signals.poll();
        }
        return true;
    }

    private void open(AgentSession opened) {
        agentSession = opened;
        opened.send(
                AgentMessage.newBuilder()
                        .setHello(
                                Hello.newBuilder()
                                        .setSession(opened.number())
                                        .addAllTasks(
                                                reportOutbox.everything(
                                                        host.tasks(), System.nanoTime())))
                        .build());
        if (models != null) {
            models.forget();
        }
        host.opened(nodes -> opened.send(AgentMessage.newBuilder().setNodes(nodes).build()));
    }

    private void handle(ServerMessage message, AgentSession from) {
        switch (message.getMessageCase()) {
            case ASSIGN -> take(message.getAssign(), from);
            case ACKNOWLEDGE -> {
                for (long sequence : message.getAcknowledge().getSequencesList()) {
                    TaskRef over = reportOutbox.confirmed(sequence);
                    if (over != null) {
                        host.acknowledged(over);
                    }
                }
            }
            case LOG -> pendingLogRequests.add(message.getLog(), this::answer);
            case MESSAGE_NOT_SET -> log.debug("ignoring a message of an unknown kind");
        }
    }

    private void take(Assign assign, AgentSession from) {
        if (!desiredState.take(assign, from.number())) {
            log.warn(
                    "ignoring an outdated assignment for {}: term {}, revision {}",
                    assign.getNodeId(),
                    assign.getTerm(),
                    assign.getRevision());
        } else if (models != null) {
            models.follow(assign);
        }
    }

    private void step() {
        AgentSession current = agentSession;
        boolean again = failed;
        failed = true; // Until the step has been done.
        HostChanges changes = again ? HostChanges.ANYTHING : host.changes();
        desiredState.carryOut(host, models, current == null ? 0 : current.number(), changes);
        if (current != null) {
            if (models != null) {
                models.report(current);
            }
            for (TaskReport report : due(changes)) {
                current.send(AgentMessage.newBuilder().setReport(report).build());
            }
            pendingLogRequests.answerDue(this::answer);
        }
        failed = false;
        if (System.nanoTime() - tidyAt >= 0) {
            host.tidy();
            tidyAt = System.nanoTime() + TIDY_EVERY.toNanos();
        }
    }

    private List<TaskReport> due(HostChanges changes) {
        long now = System.nanoTime();
        return changes.anything()
                ? reportOutbox.due(host.tasks(), now)
                : reportOutbox.due(changes, now);
    }

    private void answer(LogChunk chunk) {
        AgentSession current = agentSession;
        if (current != null) {
            current.send(AgentMessage.newBuilder().setLog(chunk).build());
        }
    }

    private void put(Signal signal) {
        try {
            signals.put(signal);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Passes network events to the agent's own thread.
    private final class Mailbox implements SchedulerConnection.Listener {
        @Override
        public void opened(AgentSession opened) {
            put(new Signal.Opened(opened));
        }

        @Override
        public void received(AgentSession from, ServerMessage message) {
            put(new Signal.Received(from, message));
        }

        @Override
        public void closed(AgentSession closed) {
            put(new Signal.Closed(closed));
        }
    }
}
