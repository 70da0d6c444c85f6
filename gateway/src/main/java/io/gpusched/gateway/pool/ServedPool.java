package io.gpusched.gateway.pool;

import io.gpusched.gateway.measure.PoolMeter;
import io.gpusched.gateway.pool.PoolConfig.ReplicaConfig;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/// One pool: its replicas, sessions and counters.
public final class ServedPool {
    private static final int MOST_SESSIONS = 100_000;

    private final LinkedHashMap<String, ServedReplica> replicas = new LinkedHashMap<>();
    private final SessionTable sessions = new SessionTable(MOST_SESSIONS);
    private final PoolMeter meter = new PoolMeter();
    private PoolConfig config;
    private boolean listed = true;
    private int held;
    private long heldTokens;

    public ServedPool(PoolConfig config) {
        this.config = config;
        update(config);
    }

    /// Takes what the scheduler says now. Returns the replicas that it no longer lists.
    public List<ServedReplica> update(PoolConfig now) {
        config = now;
        var listed = new HashSet<String>();
        var gone = new ArrayList<ServedReplica>();
        for (ReplicaConfig each : now.replicas()) {
            InetSocketAddress address = each.address();
            if (address == null) {
                continue;
            }
            listed.add(each.jobId());
            ServedReplica known = replicas.get(each.jobId());
            if (known != null && known.address().equals(address)) {
                known.draining(each.isDraining());
            } else {
                if (known != null) {
                    known.forget();
                    gone.add(known);
                }
                replicas.put(each.jobId(), new ServedReplica(each, address));
            }
        }
        replicas.values()
                .removeIf(
                        replica -> {
                            boolean missing = !listed.contains(replica.jobId());
                            if (missing) {
                                replica.forget();
                                gone.add(replica);
                            }
                            return missing;
                        });
        return gone;
    }

    /// The scheduler no longer lists the pool. Returns the replicas that it had.
    List<ServedReplica> forget() {
        listed = false;
        var gone = new ArrayList<ServedReplica>(replicas.values());
        gone.forEach(ServedReplica::forget);
        replicas.clear();
        return gone;
    }

    /// Whether the scheduler still lists the pool. If not, no replica will come.
    public boolean isListed() {
        return listed;
    }

    public PoolConfig config() {
        return config;
    }

    public String name() {
        return config.name();
    }

    public Collection<ServedReplica> replicas() {
        return replicas.values();
    }

    public @Nullable ServedReplica replica(String jobId) {
        return replicas.get(jobId);
    }

    public SessionTable sessions() {
        return sessions;
    }

    public PoolMeter meter() {
        return meter;
    }

    /// Whether any replica gets new requests.
    public boolean isServing() {
        return replicas.values().stream().anyMatch(ServedReplica::isReady);
    }

    /// Requests that wait for a replica, and their prompt tokens.
    public void hold(int requests, long tokens) {
        held += requests;
        heldTokens += tokens;
    }

    public int held() {
        return held;
    }

    public long heldTokens() {
        return heldTokens;
    }

    public int inFlight() {
        return replicas.values().stream().mapToInt(ServedReplica::inFlight).sum();
    }

    /// The mean prompt length of requests that replicas work on; 0 when there are none.
    public long contextTokens() {
        long tokens = replicas.values().stream().mapToLong(ServedReplica::inFlightTokens).sum();
        return inFlight() == 0 ? 0 : tokens / inFlight();
    }
}
