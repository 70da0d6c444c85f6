package io.gpusched.core.policy;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/// A refusal and the number of nodes it applies to; 0 nodes when it is about the job itself.
///
/// @param named the first few of these nodes, where an operator could do something about them
/// @param reservedFor the first few jobs for which GPUs of these nodes are reserved, where that is
///        part of the reason; their names are not in [#why], because not every caller may see them
public record RefusalCount(
        Refusal refusal, int nodes, List<NodeId> named, List<JobId> reservedFor) {
    /// Beyond this many, nodes and jobs are only counted.
    public static final int MOST_NAMED = 3;

    public RefusalCount {
        named = List.copyOf(named);
        reservedFor = List.copyOf(reservedFor);
    }

    public RefusalCount(Refusal refusal, int nodes) {
        this(refusal, nodes, List.of(), List.of());
    }

    /// The reason to show where only one is shown: a reason about the job itself, else the one that
    /// is nearest to being resolved. One cordoned node with the requested model says more than a
    /// hundred nodes that could never run the job. Null where there is none.
    ///
    /// @param reasons the most frequent first
    public static @Nullable RefusalCount main(List<RefusalCount> reasons) {
        RefusalCount main = null;
        for (RefusalCount refusalCount : reasons) {
            if (refusalCount.nodes == 0) {
                return refusalCount;
            }
            if (main == null || refusalCount.refusal.distance() < main.refusal.distance()) {
                main = refusalCount;
            }
        }
        return main;
    }

    /// The reason, and the nodes where they are named: `node is cordoned (n1, n2, n3, …)`.
    public String why() {
        if (named.isEmpty()) {
            return refusal.why();
        }
        String names = named.stream().map(NodeId::toString).collect(Collectors.joining(", "));
        boolean more = named.size() == MOST_NAMED && nodes > MOST_NAMED;
        return refusal.why() + " (" + names + (more ? ", …)" : ")");
    }

    /// What would resolve the refusal, for people: a command where there is one.
    public List<String> lifts() {
        return refusal.liftedBy().stream().map(this::words).toList();
    }

    private String words(RetryCondition retryCondition) {
        return retryCondition instanceof RetryCondition.Opened && !named.isEmpty()
                ? "gpu-cli uncordon " + named.getFirst()
                : retryCondition.words();
    }
}
