package io.gpusched.core.state;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Digest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The agents' part of the ledger: the known agents, and the longest lease that any may hold.
public final class AgentLedger {
    private final Map<AgentId, Agent> known = new LinkedHashMap<>();
    private Duration lease = Duration.ZERO;

    void restore(List<Agent> all, Duration longestLease) {
        all.forEach(this::put);
        lease = longestLease;
    }

    void put(Agent agent) {
        known.put(agent.id(), agent);
    }

    void remove(AgentId id) {
        known.remove(id);
    }

    public @Nullable Agent find(AgentId id) {
        return known.get(id);
    }

    /// All agents, without a copy: the ledger must not change meanwhile.
    Iterable<Agent> every() {
        return known.values();
    }

    public List<Agent> all() {
        return List.copyOf(known.values());
    }

    void bindLease(Duration longest) {
        lease = longest;
    }

    /// The longest lease of any agent; zero where it was never recorded.
    public Duration lease() {
        return lease;
    }

    long digest() {
        return lease.isZero() ? 0 : Digest.mix(0x1EA5E, lease.toMillis());
    }
}
