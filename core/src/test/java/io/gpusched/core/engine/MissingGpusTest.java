package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.TaskState;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// A node comes back, or is described anew, with fewer GPUs than its jobs hold.
final class MissingGpusTest {
    private static final Node FEWER = aNode("n1").gpus(4).build();

    private final Scene scene = Scene.with(aNode("n1").gpus(8).build());
    private final JobId small = running(2);
    private final JobId large = running(6);

    private JobId running(int gpus) {
        JobId id = scene.submit(aJob().gpus(gpus));
        scene.runs(id);
        return id;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoHoldsOneThatIsGoneIsStoppedAndStartsAnew(boolean restarted) {
        if (restarted) {
            var agent = new Agent(new AgentId("agent"), Agent.Custody.SELF_FENCING, 0);
            scene.tell(new Report.Hello(agent, List.of(FEWER), List.of(seen(small), seen(large))));
        } else {
            scene.tell(new Report.NodeDescribed(FEWER));
        }

        assertThat(scene.phase(small)).isEqualTo("Running");
        assertThat(scene.phase(large)).isEqualTo("Stopping");
        assertThat(scene.job(large).phase().toString())
                .contains("node n1 no longer has all of its GPUs");
        JobId next = scene.submit(aJob().gpus(2));
        scene.ends(large, Exit.How.STOPPED, 0);
        assertThat(scene.phase(large)).isEqualTo("Waiting");
        assertThat(scene.where(next)).contains("n1");
    }

    private Report.Seen seen(JobId job) {
        return new Report.Seen(scene.run(job).id(), 0, new TaskState.Running());
    }
}
