package io.gpusched.operator.pods;

import io.gpusched.wire.proto.agent.TaskReport;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// How the pods of gangs end. In a cluster the owner of the pods decides what the failure of one
/// means: it may replace the pod while the others wait for it. The scheduler, though, stops a whole
/// gang when a task fails. So a pod that ends while others of its gang run is reported as an end
/// that stops nothing, and the last one tells the worst of all.
///
///     a fails with 1   →  "0, the others go on (exit code 1)"
///     b succeeds       →  exit code 1, "pod team/a: …"
final class GangEnds {
    private final Map<PodTask.Run, PodTask.PodEnd> worst = new HashMap<>();
    private final Set<PodTask.Run> whole = new HashSet<>();

    /// Notes that each pod of the run was bound once, which stays true when some have ended.
    void markWhole(PodTask.Run run) {
        whole.add(run);
    }

    boolean isWhole(PodTask.Run run) {
        return whole.contains(run);
    }

    /// @param run the tasks of the run, with this one
    PodTask.PodEnd report(PodTask task, PodTask.PodEnd end, Collection<PodTask> run) {
        if (!isWhole(task.run())) {
            return end; // The gang never was whole, and must not be partial.
        }
        boolean othersRun = run.stream().anyMatch(other -> !other.equals(task) && !other.isOver());
        PodTask.PodEnd earlier = worst.get(task.run());
        var mine =
                end.isSuccess()
                        ? end
                        : new PodTask.PodEnd(
                                end.how(), end.code(), "pod " + task.pod + ": " + end.detail());
        PodTask.PodEnd most = earlier == null || earlier.isSuccess() ? mine : earlier;
        if (!othersRun) {
            return most;
        }
        worst.put(task.run(), most);
        return end.isSuccess()
                ? end
                : new PodTask.PodEnd(
                        TaskReport.How.EXITED, 0, "the other pods go on; " + mine.detail());
    }

    void forget(PodTask.Run run) {
        worst.remove(run);
        whole.remove(run);
    }
}
