package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Task;
import io.gpusched.sim.SimulatedMachine.TaskKey;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What is true on the machines, whatever the scheduler believes.
final class OccupancyTest {
    private static final JobSpec SPEC =
            ScenarioFile.parse("one", "cluster: [{name: n, gpus: 4xL4}]\njobs: [{gpu_count: 1}]")
                    .jobs()
                    .getFirst()
                    .spec();

    private final Occupancy occupancy = new Occupancy();

    private static Task task(long job, int attempt, String node, long gpus) {
        var slot = new Slot(new NodeId(node), 0, 0, new Grant.Whole(gpus), Resources.NONE);
        return new Task(
                new AttemptId(new JobId(job), attempt, 1),
                0,
                SPEC,
                slot,
                new Placement(List.of(slot)),
                Task.Order.RUN);
    }

    private void begins(Task task) {
        occupancy.begins(new TaskKey(task.attempt(), task.rank()), task);
    }

    private void ends(Task task) {
        occupancy.ends(new TaskKey(task.attempt(), task.rank()), task);
    }

    @Test
    void aGpuIsUsedByOneTaskAtATime() {
        begins(task(1, 1, "n", 3));
        assertThatThrownBy(() -> begins(task(2, 1, "n", 2))).hasMessageContaining("still uses");
    }

    @Test
    void aJobRunsOnceAtATime() {
        begins(task(1, 1, "n", 1));
        assertThatThrownBy(() -> begins(task(1, 2, "other", 1)))
                .hasMessageContaining("runs twice at once");
    }

    @Test
    void anEndedTaskUsesNothing() {
        begins(task(1, 1, "n", 1));
        ends(task(1, 1, "n", 1));
        assertThatCode(() -> begins(task(1, 2, "n", 1))).doesNotThrowAnyException();
    }
}
