package io.gpusched.server.agents;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Plurals;
import io.gpusched.wire.agent.AgentCodec;
import io.gpusched.wire.agent.ModelCodec;
import io.gpusched.wire.proto.agent.Acknowledge;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.Hello;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.NodeModels;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.gpusched.wire.proto.agent.TaskReport;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The stream between this server and one agent: assignments in one direction, reports in the
/// other.
///
/// The thread that receives a message passes it on to the cell, so a full inbox slows the agent
/// down. Messages to the agent are only noted, and a thread of the session sends them: of several
/// assignments of a node only the newest is sent, however slowly the agent reads.
final class AgentSession implements StreamObserver<AgentMessage> {
    private static final Logger log = LoggerFactory.getLogger(AgentSession.class);

    /// Log requests beyond this number are dropped; such a request times out and can be repeated.
    private static final int MOST_LOG_REQUESTS = 1000;

    /// The parts of the server that a session uses.
    ///
    /// @param time the time that the cell decides by; deadlines are given in it
    record Parts(
            AgentRegistry agentRegistry,
            AgentLauncher launcher,
            ReportInbox inbox,
            LogRelay logs,
            Telemetry telemetry,
            InstantSource time) {}

    private final Parts parts;
    private final ServerCallStreamObserver<ServerMessage> agent;
    private final Set<NodeId> nodes = new LinkedHashSet<>();
    private final List<Long> acknowledged = new ArrayList<>();
    private final List<LogRequest> logRequests = new ArrayList<>();
    private final BooleanSupplier admitted;
    private final SessionNodes itsNodes;
    private boolean settled;
    private @Nullable Status ended;

    /// @param admitted whether the token with which the stream was opened is still valid
    AgentSession(
            Parts parts, ServerCallStreamObserver<ServerMessage> agent, BooleanSupplier admitted) {
        this.parts = parts;
        this.agent = agent;
        this.admitted = admitted;
        this.itsNodes = new SessionNodes(parts, this, () -> !over());
        agent.setOnReadyHandler(this::wake);
        agent.setOnCancelHandler(() -> end(Status.CANCELLED));
        Thread.ofVirtual().name("agent-session").start(this::send);
    }

    /// Sends the newest assignment of the node.
    synchronized void assign(NodeId node) {
        nodes.add(node);
        notifyAll();
    }

    synchronized void acknowledge(List<Long> sequences) {
        acknowledged.addAll(sequences);
        notifyAll();
    }

    synchronized void ask(LogRequest request) {
        if (logRequests.size() < MOST_LOG_REQUESTS) {
            logRequests.add(request);
            notifyAll();
        }
    }

    /// Ends the session; the agent will begin another one.
    synchronized void end(Status why) {
        if (ended == null) {
            ended = why;
            notifyAll();
        }
    }

    /// Ends the session if its join token has been revoked since it began.
    ///
    /// @return whether the session goes on
    boolean checkToken() {
        boolean valid = admitted.getAsBoolean();
        if (!valid) {
            end(JoinCheck.REVOKED);
        }
        return valid;
    }

    @Override
    public String toString() {
        return itsNodes.toString();
    }

    // ---- receiving

    @Override
    public void onNext(AgentMessage message) {
        if (over()) {
            return;
        }
        try {
            switch (message.getMessageCase()) {
                case HELLO -> hello(message.getHello());
                case REPORT -> report(message.getReport());
                case MODELS -> models(message.getModels());
                case NODES -> itsNodes.changed(message.getNodes());
                case LOG -> parts.logs.arrived(this, message.getLog());
                case MESSAGE_NOT_SET -> log.debug("received a message of an unknown kind");
            }
        } catch (IllegalArgumentException e) {
            end(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
        }
    }

    @Override
    public void onError(Throwable problem) {
        end(Status.CANCELLED);
    }

    @Override
    public void onCompleted() {
        end(Status.OK);
    }

    private void hello(Hello hello) {
        List<Node> known = parts.agentRegistry.nodes(hello.getSession());
        AgentRegistry.Caller introduced =
                parts.agentRegistry.attach(
                        hello.getSession(),
                        this,
                        parts.launcher.longestGrace(known.stream().map(Node::id).toList()));
        if (introduced == null) {
            end(
                    Status.FAILED_PRECONDITION.withDescription(
                            "this session has ended; register again"));
            return;
        }
        itsNodes.begin(introduced);
        for (TaskReport task : hello.getTasksList()) {
            if (itsNodes.mayTellOf(task)) {
                parts.launcher.learn(task);
            }
        }
        List<Report.Seen> seen = hello.getTasksList().stream().map(AgentCodec::seen).toList();
        List<Long> sequences = hello.getTasksList().stream().map(TaskReport::getSequence).toList();
        log.info(
                "agent {} introduced {} and {}",
                introduced.agent().id(),
                Plurals.of(introduced.nodes().size(), "node"),
                Plurals.of(seen.size(), "task"));
        parts.inbox.tell(
                new Report.Hello(introduced.agent(), introduced.nodes(), seen),
                () -> !over(),
                () -> begin(introduced, sequences));
    }

    /// Begins to send assignments, once the cell knows that the agent is back. Earlier ones may be
    /// about to be withdrawn, because the cell had given the agent up.
    private void begin(AgentRegistry.Caller introduced, List<Long> sequences) {
        parts.telemetry.reportAgain(introduced.nodes());
        synchronized (this) {
            settled = true;
            introduced.nodes().forEach(node -> nodes.add(node.id()));
            acknowledge(sequences);
        }
    }

    /// A report that is lost with the session is repeated after the next Hello.
    private void models(NodeModels told) {
        itsNodes.check(told.getNodeId());
        parts.inbox.tell(ModelCodec.report(told), () -> !over(), () -> {});
    }

    /// A node may report on tasks that were assigned to it. Any other task has ended, as far as the
    /// server knows, or belongs to another node: the agent may forget it.
    private void report(TaskReport told) {
        List<Long> sequence = List.of(told.getSequence());
        Report report = AgentCodec.report(told);
        if (!itsNodes.mayTellOf(told) || !parts.launcher.gave(told)) {
            log.info(
                    "ignored a report on a task that is not assigned to {}: {}",
                    told.getNodeId(),
                    report);
            acknowledge(sequence);
            return;
        }
        parts.launcher.learn(told);
        if (report == null) {
            acknowledge(sequence);
        } else {
            parts.inbox.tell(report, () -> acknowledge(sequence));
        }
    }

    // ---- sending

    private void send() {
        try {
            while (awaitSomethingToSay()) {
                for (ServerMessage message : take()) {
                    if (!awaitReady()) {
                        return;
                    }
                    agent.onNext(message);
                }
            }
        } catch (InterruptedException e) {
            end(Status.UNAVAILABLE);
        } finally {
            parts.agentRegistry.detach(this);
            parts.logs.over(this);
            finish();
        }
    }

    private synchronized boolean awaitSomethingToSay() throws InterruptedException {
        while (ended == null
                && (nodes.isEmpty() || !settled)
                && acknowledged.isEmpty()
                && logRequests.isEmpty()) {
            wait();
        }
        return ended == null;
    }

    private synchronized boolean awaitReady() throws InterruptedException {
        while (ended == null && !agent.isReady()) {
            wait();
        }
        return ended == null;
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized boolean over() {
        return ended != null;
    }

    /// Acknowledgements are sent first: they are small, and the agent can then forget its reports.
    private List<ServerMessage> take() {
        List<ServerMessage> messages = new ArrayList<>();
        List<NodeId> assigned = new ArrayList<>();
        synchronized (this) {
            if (!acknowledged.isEmpty()) {
                messages.add(
                        message(
                                m ->
                                        m.setAcknowledge(
                                                Acknowledge.newBuilder()
                                                        .addAllSequences(acknowledged))));
                acknowledged.clear();
            }
            logRequests.forEach(request -> messages.add(message(m -> m.setLog(request))));
            logRequests.clear();
            if (settled) {
                assigned.addAll(nodes);
                nodes.clear();
            }
        }
        // An assignment may hold secrets of a job, so the token is checked right before it is sent.
        if (!assigned.isEmpty() && !checkToken()) {
            return List.of();
        }
        for (NodeId node : assigned) {
            Assign assign = parts.launcher.message(node, parts.time.instant());
            if (assign != null) {
                messages.add(message(m -> m.setAssign(assign)));
            }
        }
        return messages;
    }

    private static ServerMessage message(Consumer<ServerMessage.Builder> content) {
        ServerMessage.Builder message = ServerMessage.newBuilder();
        content.accept(message);
        return message.build();
    }

    private void finish() {
        Status why;
        synchronized (this) {
            why = ended == null ? Status.UNAVAILABLE : ended;
        }
        try {
            if (why.isOk()) {
                agent.onCompleted();
            } else {
                agent.onError(why.asRuntimeException());
            }
        } catch (IllegalStateException e) {
            log.debug("the agent had already ended the session", e);
        } catch (RejectedExecutionException e) {
            log.debug("the gRPC server has stopped, and the session with it", e);
        }
    }
}
