package io.gpusched.core.state;

import io.gpusched.core.model.Digest;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ReplicaTemplate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The template that a pool has now, and the earlier ones that replicas still have. A template that
/// replicas still have is the same again when the pool returns to it.
final class ReplicaTemplates {
    private ReplicaTemplate present;

    /// By number.
    private final SequencedMap<Integer, ReplicaTemplate> earlier = new TreeMap<>();

    ReplicaTemplates(Pool pool) {
        present = ReplicaTemplate.of(0, pool);
    }

    void restore(ReplicaTemplate now, List<ReplicaTemplate> before) {
        present = now;
        before.forEach(one -> earlier.put(one.number(), one));
    }

    void put(Pool pool, Collection<ReplicaStatus> replicas) {
        if (present.isOf(pool)) {
            return;
        }
        earlier.put(present.number(), present);
        ReplicaTemplate known = null;
        for (ReplicaTemplate one : earlier.values()) {
            known = one.isOf(pool) ? one : known;
        }
        present =
                known == null ? ReplicaTemplate.of(earlier.lastEntry().getKey() + 1, pool) : known;
        forget(replicas);
    }

    /// Keeps only what these replicas have.
    void forget(Collection<ReplicaStatus> replicas) {
        earlier.keySet()
                .removeIf(
                        number ->
                                number == present.number()
                                        || replicas.stream()
                                                .noneMatch(one -> one.template() == number));
    }

    ReplicaTemplate present() {
        return present;
    }

    List<ReplicaTemplate> earlier() {
        return new ArrayList<>(earlier.values());
    }

    /// Whether one of these replicas, which has an earlier template, listens on the port.
    boolean isEarlierPort(int port, SequencedMap<Integer, ReplicaStatus> replicas) {
        for (ReplicaTemplate one : earlier.values()) {
            ReplicaStatus status = one.port() == 0 ? null : replicas.get(port - one.port());
            if (status != null && status.template() == one.number()) {
                return true;
            }
        }
        return false;
    }

    /// 0 while the pool has its first template.
    long digest(Collection<ReplicaStatus> replicas) {
        long hash = present.number();
        for (int number : earlier.keySet()) {
            hash = Digest.mix(hash, number);
        }
        for (ReplicaStatus status : replicas) {
            hash = status.template() == 0 ? hash : Digest.mix(hash, status.template());
        }
        return hash;
    }
}
