package io.gpusched.core.state;

import io.gpusched.core.model.JobId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/// Which replicas of a pool are kept warm: the youngest of those that are ready beyond what the
/// load needs.
///
///     ready, the oldest first    r0 r1 r2 r3      the load needs 2, at most 1 is kept warm
///     warm                                r3
final class WarmReplicas {
    private WarmReplicas() {}

    /// @param needed how many the load needs
    /// @param most how many the pool wants warm
    static Set<JobId> among(Collection<ReplicaStatus> replicas, int needed, int most) {
        if (most == 0) {
            return Collections.emptyNavigableSet();
        }
        var ready = new ArrayList<ReplicaStatus>();
        for (ReplicaStatus status : replicas) {
            if (status.ready() != null && status.draining() == null) {
                ready.add(status);
            }
        }
        ready.sort(Comparator.comparing(status -> Objects.requireNonNull(status.ready())));
        var warm = new LinkedHashSet<JobId>();
        for (int i = Math.max(needed, ready.size() - most); i < ready.size(); i++) {
            warm.add(ready.get(i).job());
        }
        return warm;
    }
}
