package io.gpusched.server.agents;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.wire.agent.HelloReader.Introduced;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.LongSupplier;

/// All agents that the server knows: which one serves which node, and when each sent its last
/// message.
///
/// One lock guards it; nothing in here blocks. An agent has at most one session; a new one ends the
/// old one. Silence is counted from the last heartbeat or introduction that arrived. For an agent
/// that has sent nothing since this server took charge, it is counted from then, because the server
/// before may have answered a heartbeat just before.
final class AgentRegistry {
    /// An agent that introduces more nodes than this is refused.
    private static final int MOST_NODES = 100_000;

    private final AgentTimes times;
    private final LongSupplier clock;
    private final long oldLeasesEnd;
    private final SecureRandom random = new SecureRandom();
    private final Map<AgentId, Member> members = new LinkedHashMap<>();
    private final Map<Long, Member> bySession = new HashMap<>();
    private final Map<AgentSession, Member> byStream = new HashMap<>();
    private final Map<NodeId, Member> byNode = new HashMap<>();

    /// @param before the longest lease that agents may hold from earlier servers
    /// @param clock monotonic nanoseconds
    AgentRegistry(AgentTimes times, Duration before, LongSupplier clock) {
        this.times = times;
        this.clock = clock;
        this.oldLeasesEnd = clock.getAsLong() + before.toNanos();
    }

    private static final class Member {
        final AgentId id;
        Agent agent;
        final SequencedMap<NodeId, Node> nodes = new LinkedHashMap<>();

        /// Nodes that were known before this session and have not been named in it.
        final Set<NodeId> unnamed = new LinkedHashSet<>();

        long session;
        long silentSince;
        Instant heardAt = Instant.EPOCH;
        Duration grace = Duration.ZERO;
        boolean silent;
        boolean settling;
        @Nullable AgentSession agentSession;

        Member(Agent agent, long silentSince) {
            this.id = agent.id();
            this.agent = agent;
            this.silentSince = silentSince;
        }
    }

    /// The agent at the other end of a session.
    record Caller(Agent agent, List<Node> nodes) {}

    /// An agent that has sent nothing for too long.
    ///
    /// @param fenced whether the silence is so long that none of its tasks can still be running
    record Silence(AgentId agent, boolean fenced) {
        Report report() {
            return fenced ? new Report.Fenced(agent) : new Report.Silent(agent);
        }
    }

    /// Registers an agent that an earlier server knew; its silence counts from now. Until its lease
    /// is certainly over, only the same instance may join under its name.
    synchronized void expect(Agent agent, List<Node> nodes) {
        Member member =
                members.computeIfAbsent(agent.id(), _ -> new Member(agent, clock.getAsLong()));
        if (member.nodes.isEmpty()) {
            own(member, nodes);
        }
    }

    /// Opens a session, ending an earlier one of the same agent.
    ///
    /// @throws StatusRuntimeException when another agent has that name or one of the nodes
    synchronized long open(Introduced introduced) {
        Agent agent = introduced.agent();
        AgentId id = agent.id();
        if (introduced.nodes().size() > MOST_NODES) {
            throw refused(
                    Status.INVALID_ARGUMENT, "an agent serves at most " + MOST_NODES + " nodes");
        }
        Member member = members.get(id);
        if (member != null && member.settling) {
            throw refused(
                    Status.UNAVAILABLE, "the agent's silence is being recorded; retry at once");
        }
        if (member != null && isAnother(agent, member.agent) && mayRunTasks(member)) {
            throw refused(Status.ALREADY_EXISTS, nameTaken(member));
        }
        for (Node node : introduced.nodes()) {
            Member owner = byNode.get(node.id());
            if (owner != null && isTaken(node, id)) {
                throw refused(
                        Status.ALREADY_EXISTS,
                        "agent "
                                + owner.id
                                + " already serves node "
                                + node.id()
                                + "; stop that one, and wait until its lease is over, in at most "
                                + left(owner).toSeconds()
                                + " s");
            }
        }
        if (member == null) {
            member = new Member(agent, clock.getAsLong());
            members.put(id, member);
        }
        end(member, Status.ABORTED.withDescription("a newer session of this agent began"));
        member.agent = agent;
        member.session = random.nextLong(1, Long.MAX_VALUE);
        bySession.put(member.session, member);
        if (introduced.nodesFollow()) {
            member.unnamed.addAll(member.nodes.keySet());
        } else {
            disown(member, List.copyOf(member.nodes.keySet()));
        }
        own(member, introduced.nodes());
        return member.session;
    }

    /// Connects the stream to the agent of a session; null if the session has ended.
    synchronized @Nullable Caller attach(long session, AgentSession agentSession, Duration grace) {
        Member member = bySession.get(session);
        if (member == null) {
            return null;
        }
        if (member.agentSession != null) {
            byStream.remove(member.agentSession);
        }
        member.agentSession = agentSession;
        byStream.put(agentSession, member);
        member.grace = grace.compareTo(member.grace) > 0 ? grace : member.grace;
        hear(member);
        return new Caller(member.agent, List.copyOf(member.nodes.values()));
    }

    /// Takes new and changed nodes of the agent at the other end of a stream.
    ///
    /// @return those that it may have: not one that another agent serves, and no more than an agent
    ///     may have
    synchronized List<Node> describe(AgentSession agentSession, List<Node> nodes) {
        Member member = byStream.get(agentSession);
        var taken = new ArrayList<Node>();
        if (member == null) {
            return taken;
        }
        for (Node node : nodes) {
            boolean fits = member.nodes.size() < MOST_NODES || member.nodes.containsKey(node.id());
            if (fits && !isTaken(node, member.id)) {
                own(member, List.of(node));
                taken.add(node);
            }
        }
        return taken;
    }

    /// Forgets nodes that the agent at the other end of a stream no longer has.
    ///
    /// @return those of them that were its nodes
    synchronized List<NodeId> drop(AgentSession agentSession, Collection<NodeId> nodes) {
        Member member = byStream.get(agentSession);
        if (member == null) {
            return List.of();
        }
        var dropped = new ArrayList<>(nodes);
        dropped.retainAll(member.nodes.keySet());
        disown(member, dropped);
        return dropped;
    }

    /// The nodes of the agent at the other end of a stream that it has not named in this session.
    synchronized List<NodeId> unnamed(AgentSession agentSession) {
        Member member = byStream.get(agentSession);
        return member == null ? List.of() : List.copyOf(member.unnamed);
    }

    /// Whether another agent serves the node, whose tasks may still be running.
    private boolean isTaken(Node node, AgentId agent) {
        Member owner = byNode.get(node.id());
        return owner != null && !owner.id.equals(agent) && mayRunTasks(owner);
    }

    /// Records a heartbeat; false if the session has ended.
    synchronized boolean heartbeat(long session) {
        Member member = bySession.get(session);
        if (member == null) {
            return false;
        }
        hear(member);
        return true;
    }

    /// The nodes of a session; empty when it has ended.
    synchronized List<Node> nodes(long session) {
        Member member = bySession.get(session);
        return member == null ? List.of() : List.copyOf(member.nodes.values());
    }

    /// Removes a stream that has ended. The agent's silence counts from its last message, as
    /// always.
    synchronized void detach(AgentSession agentSession) {
        Member member = byStream.remove(agentSession);
        if (member != null) {
            bySession.remove(member.session);
            member.agentSession = null;
        }
    }

    /// The streams of all connected agents.
    synchronized List<AgentSession> sessions() {
        List<AgentSession> open = new ArrayList<>();
        for (Member member : members.values()) {
            if (member.agentSession != null) {
                open.add(member.agentSession);
            }
        }
        return open;
    }

    /// The stream of the node's agent; null while it is not connected.
    synchronized @Nullable AgentSession session(NodeId node) {
        Member member = byNode.get(node);
        return member == null ? null : member.agentSession;
    }

    /// The address at which other nodes reach this one; null if it was not introduced to this
    /// server.
    synchronized @Nullable String address(NodeId node) {
        Member member = byNode.get(node);
        Node known = member == null ? null : member.nodes.get(node);
        return known == null ? null : known.address();
    }

    synchronized AgentPresence.@Nullable Contact contact(NodeId node) {
        Member member = byNode.get(node);
        return member == null
                ? null
                : new AgentPresence.Contact(
                        member.agentSession != null,
                        member.heardAt.equals(Instant.EPOCH) ? null : member.heardAt,
                        Duration.ofNanos(clock.getAsLong() - member.silentSince),
                        member.agent.custody() == Agent.Custody.SELF_FENCING ? left(member) : null);
    }

    /// Records that a task on the node may take this long to end.
    synchronized void tolerate(NodeId node, Duration grace) {
        Member member = byNode.get(node);
        if (member != null && member.grace.compareTo(grace) < 0) {
            member.grace = grace;
        }
    }

    /// The agents whose silence must be reported to the cell now. Each is reported once, and cannot
    /// join again before [#reported], so that the cell receives its absence and its return in
    /// order.
    synchronized List<Silence> overdue() {
        long now = clock.getAsLong();
        List<Silence> overdue = new ArrayList<>();
        for (Member member : List.copyOf(members.values())) {
            if (member.settling) {
                continue;
            }
            Duration silence = Duration.ofNanos(now - member.silentSince);
            boolean fenced =
                    member.agent.custody() == Agent.Custody.SELF_FENCING
                            && !left(member).isPositive();
            if (!fenced && (member.silent || silence.compareTo(times.silent()) < 0)) {
                continue;
            }
            // Its next session begins with an introduction.
            end(member, Status.UNAVAILABLE.withDescription("no heartbeat for " + silence));
            member.silent = true;
            member.settling = true;
            overdue.add(new Silence(member.id, fenced));
        }
        return overdue;
    }

    /// The silence of the agent that has this node and no other, if it is not connected and its
    /// silence was not yet reported; null otherwise. As after [#overdue], it cannot join again
    /// before [#reported]. An agent with more nodes is left alone: its other nodes must not be
    /// called silent too early.
    synchronized @Nullable Silence away(NodeId node) {
        Member member = byNode.get(node);
        if (member == null || member.agentSession != null || member.silent || member.settling) {
            return null;
        }
        if (member.nodes.size() > 1) {
            return null;
        }
        end(member, Status.UNAVAILABLE.withDescription("the agent's absence is being recorded"));
        member.silent = true;
        member.settling = true;
        return new Silence(member.id, false);
    }

    /// The silence could not be reported to the cell and is counted on.
    synchronized void notReported(Silence silence) {
        Member member = Objects.requireNonNull(members.get(silence.agent));
        member.settling = false;
        member.silent = false;
    }

    /// The silence has been reported to the cell; the agent may join again.
    synchronized void reported(Silence silence) {
        Member member = Objects.requireNonNull(members.get(silence.agent));
        member.settling = false;
        if (silence.fenced) {
            forget(member);
        }
    }

    private void forget(Member member) {
        members.remove(member.id);
        disown(member, List.copyOf(member.nodes.keySet()));
    }

    synchronized void close() {
        members.values()
                .forEach(
                        member ->
                                end(
                                        member,
                                        Status.UNAVAILABLE.withDescription(
                                                "the scheduler is shutting down")));
    }

    /// Whether the leases of earlier servers have all expired.
    boolean areOldLeasesOver() {
        return clock.getAsLong() - oldLeasesEnd >= times.margin().toNanos();
    }

    private static boolean isAnother(Agent agent, Agent known) {
        return !known.instance().isEmpty() && !known.instance().equals(agent.instance());
    }

    /// Whether tasks of the agent may still be running, as far as this server knows.
    private boolean mayRunTasks(Member member) {
        return left(member).isPositive() && !member.agent.instance().isEmpty();
    }

    /// How long the agent's name stays reserved for it if it sends nothing more. The tasks of a
    /// custodian do not depend on a lease of this server, so its successor need not wait for grace
    /// and margin.
    private Duration left(Member member) {
        Duration ofLease = leaseLeft(member);
        return switch (member.agent.custody()) {
            case SELF_FENCING -> ofLease.plus(member.grace).plus(times.margin());
            case EXTERNAL -> ofLease;
        };
    }

    /// How long the agent's lease may last if it sends nothing more. An agent never shortens a
    /// lease, so one that an earlier server granted may outlast one of this server.
    private Duration leaseLeft(Member member) {
        long now = clock.getAsLong();
        Duration ours = times.lease().minusNanos(now - member.silentSince);
        Duration old = Duration.ofNanos(oldLeasesEnd - now);
        return ours.compareTo(old) > 0 ? ours : old;
    }

    private String nameTaken(Member member) {
        return "another agent named "
                + member.id
                + (member.agentSession == null ? " was connected recently" : " is connected")
                + "; give this one another --node-id, or stop the other and wait until its lease is"
                + " over, in at most "
                + Math.max(1, left(member).toSeconds())
                + " s";
    }

    private void hear(Member member) {
        member.silentSince = clock.getAsLong();
        member.heardAt = Instant.now();
        member.silent = false;
    }

    private void own(Member member, List<Node> nodes) {
        for (Node node : nodes) {
            Member before = byNode.put(node.id(), member);
            if (before != null && before != member) {
                before.nodes.remove(node.id());
            }
            member.nodes.put(node.id(), node);
            member.unnamed.remove(node.id());
        }
    }

    private void disown(Member member, Collection<NodeId> nodes) {
        for (NodeId node : nodes) {
            byNode.remove(node, member);
            member.nodes.remove(node);
            member.unnamed.remove(node);
        }
    }

    private void end(Member member, Status why) {
        bySession.remove(member.session);
        AgentSession agentSession = member.agentSession;
        member.agentSession = null;
        if (agentSession != null) {
            byStream.remove(agentSession);
            agentSession.end(why);
        }
    }

    private static StatusRuntimeException refused(Status status, String why) {
        return status.withDescription(why).asRuntimeException();
    }
}
