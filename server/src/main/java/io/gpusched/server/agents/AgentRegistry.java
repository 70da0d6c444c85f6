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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/// All agents the server knows: which one serves which node, and when each was last heard.
///
/// One lock guards it; nothing in here waits. An agent has at most one session; a new one ends the
/// old. Silence is counted from the last heartbeat or introduction that arrived, or, for an agent
/// that has not spoken since this server took charge, from then: a heartbeat may have been answered
/// by its predecessor just before.
final class AgentRegistry {
    /// More nodes than this per agent must be a mistake.
    private static final int MOST_NODES = 100_000;

    private final AgentTimes times;
    private final LongSupplier clock;
    private final long oldLeasesEnd;
    private final SecureRandom random = new SecureRandom();
    private final Map<AgentId, Member> members = new LinkedHashMap<>();
    private final Map<Long, Member> bySession = new HashMap<>();
    private final Map<AgentSession, Member> byStream = new HashMap<>();
    private final Map<NodeId, Member> byNode = new HashMap<>();

    /// @param before the longest lease that agents may hold from servers before this one
    /// @param clock nanoseconds that never step
    AgentRegistry(AgentTimes times, Duration before, LongSupplier clock) {
        this.times = times;
        this.clock = clock;
        this.oldLeasesEnd = clock.getAsLong() + before.toNanos();
    }

    private static final class Member {
        final AgentId id;
        Agent agent;
        List<Node> nodes = List.of();
        Map<NodeId, String> addresses = Map.of();
        long session;
        long heard;
        Instant heardAt = Instant.EPOCH;
        Duration grace = Duration.ZERO;
        boolean silent;
        boolean settling;
        @Nullable AgentSession agentSession;

        Member(Agent agent, long heard) {
            this.id = agent.id();
            this.agent = agent;
            this.heard = heard;
        }
    }

    /// The agent at the other end of a session.
    record Caller(Agent agent, List<Node> nodes) {}

    /// An agent that has not been heard for too long.
    ///
    /// @param fenced so long that none of its tasks can still be running
    record Silence(AgentId agent, boolean fenced) {
        Report report() {
            return fenced ? new Report.Fenced(agent) : new Report.Silent(agent);
        }
    }

    /// Counts the silence of agents that a former server knew from now on. Until their lease is
    /// surely over, only the same instance may come back under the name.
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
                    Status.INVALID_ARGUMENT,
                    "an agent speaks for at most " + MOST_NODES + " nodes");
        }
        Member member = members.get(id);
        if (member != null && member.settling) {
            throw refused(Status.UNAVAILABLE, "its silence is being recorded; come back at once");
        }
        if (member != null && isAnother(agent, member.agent) && lively(member)) {
            throw refused(Status.ALREADY_EXISTS, taken(member));
        }
        for (Node node : introduced.nodes()) {
            Member owner = byNode.get(node.id());
            if (owner != null && !owner.id.equals(id) && lively(owner)) {
                throw refused(
                        Status.ALREADY_EXISTS,
                        "agent "
                                + owner.id
                                + " already speaks for node "
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
        own(member, introduced.nodes());
        return member.session;
    }

    /// Begins to speak with the agent of a session; null when the session has ended.
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
        return new Caller(member.agent, member.nodes);
    }

    /// Notes a heartbeat; false when the session has ended.
    synchronized boolean heard(long session) {
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
        return member == null ? List.of() : member.nodes;
    }

    /// Forgets a conversation that is over. The silence that begins here is counted as any other.
    synchronized void detach(AgentSession agentSession) {
        Member member = byStream.remove(agentSession);
        if (member != null) {
            bySession.remove(member.session);
            member.agentSession = null;
        }
    }

    /// Where to say something about the node; null while its agent is not connected.
    synchronized List<AgentSession> conversations() {
        List<AgentSession> open = new ArrayList<>();
        for (Member member : members.values()) {
            if (member.agentSession != null) {
                open.add(member.agentSession);
            }
        }
        return open;
    }

    synchronized @Nullable AgentSession conversation(NodeId node) {
        Member member = byNode.get(node);
        return member == null ? null : member.agentSession;
    }

    /// Where other nodes reach this one; null when it has not been introduced to this server.
    synchronized @Nullable String address(NodeId node) {
        Member member = byNode.get(node);
        return member == null ? null : member.addresses.get(node);
    }

    synchronized AgentPresence.@Nullable Contact contact(NodeId node) {
        Member member = byNode.get(node);
        return member == null
                ? null
                : new AgentPresence.Contact(
                        member.agentSession != null,
                        member.heardAt.equals(Instant.EPOCH) ? null : member.heardAt,
                        Duration.ofNanos(clock.getAsLong() - member.heard),
                        member.agent.custody() == Agent.Custody.SELF_FENCING ? left(member) : null);
    }

    /// Notes that a task on the node may take this long to end.
    synchronized void tolerate(NodeId node, Duration grace) {
        Member member = byNode.get(node);
        if (member != null && member.grace.compareTo(grace) < 0) {
            member.grace = grace;
        }
    }

    /// What must be told now about agents that are not heard any more. Each is told once, and
    /// cannot come back before [#told], so that the cell hears of its absence and of its return in
    /// order.
    synchronized List<Silence> overdue() {
        long now = clock.getAsLong();
        List<Silence> overdue = new ArrayList<>();
        for (Member member : List.copyOf(members.values())) {
            if (member.settling) {
                continue;
            }
            Duration silence = Duration.ofNanos(now - member.heard);
            boolean fenced =
                    member.agent.custody() == Agent.Custody.SELF_FENCING
                            && !left(member).isPositive();
            if (!fenced && (member.silent || silence.compareTo(times.silent()) < 0)) {
                continue;
            }
            // Whatever it says next begins with an introduction.
            end(member, Status.UNAVAILABLE.withDescription("no heartbeat for " + silence));
            member.silent = true;
            member.settling = true;
            overdue.add(new Silence(member.id, fenced));
        }
        return overdue;
    }

    /// The absence of the agent that has this node and no other, if its conversation is over and
    /// that has not been told; null otherwise. As after [#overdue], it cannot come back before
    /// [#told]. Where it has more nodes, these must not be called silent before their time.
    synchronized @Nullable Silence away(NodeId node) {
        Member member = byNode.get(node);
        if (member == null || member.agentSession != null || member.silent || member.settling) {
            return null;
        }
        if (member.nodes.size() > 1) {
            return null;
        }
        end(member, Status.UNAVAILABLE.withDescription("its absence is being recorded"));
        member.silent = true;
        member.settling = true;
        return new Silence(member.id, false);
    }

    /// The cell could not be told; the silence goes on to be counted.
    synchronized void untold(Silence silence) {
        Member member = Objects.requireNonNull(members.get(silence.agent));
        member.settling = false;
        member.silent = false;
    }

    /// The silence has been handed to the cell; the agent may come back.
    synchronized void told(Silence silence) {
        Member member = Objects.requireNonNull(members.get(silence.agent));
        member.settling = false;
        if (silence.fenced) {
            forget(member);
        }
    }

    private void forget(Member member) {
        members.remove(member.id);
        member.nodes.forEach(node -> byNode.remove(node.id(), member));
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

    /// Whether no agent can hold a lease of a server before this one any more.
    boolean areOldLeasesOver() {
        return clock.getAsLong() - oldLeasesEnd >= times.margin().toNanos();
    }

    private static boolean isAnother(Agent agent, Agent known) {
        return !known.instance().isEmpty() && !known.instance().equals(agent.instance());
    }

    /// Whether tasks of the agent may still run, seen from here.
    private boolean lively(Member member) {
        return left(member).isPositive() && !member.agent.instance().isEmpty();
    }

    /// How long the agent's name remains its own if it is not heard again. What a custodian keeps
    /// running does not hang on a lease of ours; its successor need not wait for grace and margin.
    private Duration left(Member member) {
        Duration ofLease = leaseLeft(member);
        return switch (member.agent.custody()) {
            case SELF_FENCING -> ofLease.plus(member.grace).plus(times.margin());
            case EXTERNAL -> ofLease;
        };
    }

    /// How long the lease of the agent may last if it is not heard again. An agent never shortens a
    /// lease, so one that a server before us granted may outlast ours.
    private Duration leaseLeft(Member member) {
        long now = clock.getAsLong();
        Duration ours = times.lease().minusNanos(now - member.heard);
        Duration old = Duration.ofNanos(oldLeasesEnd - now);
        return ours.compareTo(old) > 0 ? ours : old;
    }

    private String taken(Member member) {
        return "another agent named "
                + member.id
                + (member.agentSession == null ? " was here not long ago" : " is connected")
                + "; give this one another --node-id, or stop the other and wait until its lease is"
                + " over, in at most "
                + Math.max(1, left(member).toSeconds())
                + " s";
    }

    private void hear(Member member) {
        member.heard = clock.getAsLong();
        member.heardAt = Instant.now();
        member.silent = false;
    }

    private void own(Member member, List<Node> nodes) {
        member.nodes.forEach(node -> byNode.remove(node.id(), member));
        member.nodes = List.copyOf(nodes);
        member.addresses = new HashMap<>();
        for (Node node : nodes) {
            byNode.put(node.id(), member);
            member.addresses.putIfAbsent(node.id(), node.address());
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
