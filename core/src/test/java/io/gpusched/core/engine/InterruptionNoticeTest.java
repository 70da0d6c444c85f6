package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Task;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/// A provider takes machines away shortly after it has said so.
final class InterruptionNoticeTest {
    private static final NodeId N1 = new NodeId("n1");

    private final Scene scene = Scene.with(aNode("n1").build());

    private JobId running() {
        JobId job = scene.submit(aJob());
        scene.runs(job);
        return job;
    }

    private void notice(long seconds) {
        scene.tell(new Report.InterruptionNotice(N1, Duration.ofSeconds(seconds)));
    }

    private NodeStatus status() {
        return Objects.requireNonNull(scene.engine().state().nodes().find(N1)).status();
    }

    private Instant deadline() {
        Task task = Objects.requireNonNull(scene.assignment("n1")).tasks().getFirst();
        return ((Task.Order.Stop) task.order()).deadline();
    }

    @Test
    void aRepeatedNoticeChangesNothing() {
        JobId job = running();
        notice(10);
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        NodeStatus first = status();
        assertThat(first.nodeClosure().why()).isEqualTo("will be taken away in 10 s");
        Instant deadline = deadline();
        scene.pass(Duration.ofSeconds(4));
        notice(6);
        notice(5);
        assertThat(status()).isEqualTo(first);
        assertThat(deadline()).isEqualTo(deadline);
    }

    @Test
    void aNoticeStopsJobsThatAnOperatorsDrainLetsFinish() {
        JobId job = running();
        scene.tell(new Command.Drain(N1, false, "me"));
        assertThat(scene.phase(job)).isEqualTo("Running");
        notice(10);
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        assertThat(deadline()).isEqualTo(scene.now().plusSeconds(10));
    }

    @Test
    void aMachineThatComesBackTakesJobsAgain() {
        running();
        notice(10);
        scene.pass(Duration.ofMinutes(1));
        scene.tell(new Report.Fenced(new AgentId("agent")));
        scene.join();
        assertThat(status()).isEqualTo(NodeStatus.READY);
    }

    @Test
    void aSessionThatEndsDoesNotEndTheNotice() {
        running();
        notice(60);
        scene.tell(new Report.Silent(new AgentId("agent")));
        scene.join();
        assertThat(status().draining()).isTrue();
    }

    @Test
    void whatAnOperatorDrainedStaysClosedWhenItComesBack() {
        running();
        scene.tell(new Command.Drain(N1, false, "me"));
        notice(10);
        scene.pass(Duration.ofMinutes(1));
        scene.tell(new Report.Fenced(new AgentId("agent")));
        scene.join();
        assertThat(status().cordoned()).isTrue();
        assertThat(status().cordonedByScheduler()).isFalse();
        assertThat(status().open()).isFalse();
    }
}
