package io.gpusched.sim;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Task;
import io.gpusched.sim.SimulatedMachine.TaskKey;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The true use of the machines, independent of the scheduler's view. It checks the two invariants
/// that only show here: no GPU is used by two tasks, and no job runs twice at once.
final class Occupancy {
    private final Map<NodeId, Map<TaskKey, Grant>> gpus = new HashMap<>();
    private final Map<JobId, Map<AttemptId, Integer>> alive = new HashMap<>();

    /// A task begins to use its GPUs.
    void begins(TaskKey key, Task task) {
        NodeId node = task.slot().node();
        Grant grant = task.slot().grant();
        var here = gpus.computeIfAbsent(node, id -> new LinkedHashMap<>());
        here.forEach(
                (other, taken) ->
                        Check.that(
                                apart(grant, taken),
                                "on %s, %s starts on GPUs that %s still uses",
                                node,
                                key,
                                other));
        here.put(key, grant);
        var runs = alive.computeIfAbsent(key.attempt().job(), id -> new LinkedHashMap<>());
        runs.merge(key.attempt(), 1, Integer::sum);
        Check.that(runs.size() == 1, "%s runs twice at once: %s", key.attempt().job(), runs);
    }

    /// Shares of one GPU run side by side; the auditor checks their sum.
    private static boolean apart(Grant one, Grant other) {
        boolean parts =
                one instanceof Grant.Shares && other instanceof Grant.Shares
                        || one instanceof Grant.Slices && other instanceof Grant.Slices;
        return parts || (one.mask() & other.mask()) == 0;
    }

    /// A started task releases its GPUs.
    void ends(TaskKey key, Task task) {
        var here = gpus.get(task.slot().node());
        Check.that(here != null && here.remove(key) != null, "%s ends and never began", key);
        JobId job = key.attempt().job();
        alive.computeIfPresent(
                job,
                (id, runs) -> {
                    runs.computeIfPresent(
                            key.attempt(), (run, tasks) -> tasks == 1 ? null : tasks - 1);
                    return runs.isEmpty() ? null : runs;
                });
    }
}
