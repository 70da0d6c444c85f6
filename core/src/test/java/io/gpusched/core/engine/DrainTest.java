package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Nodes that are being emptied, and what that means for jobs and tenants.
final class DrainTest {
    private static final NodeId N1 = new NodeId("n1");

    private final Scene scene = Scene.with(aNode("n1").build());

    @Test
    void runningJobsMayFinish() {
        JobId job = running();
        scene.tell(new Command.Drain(N1, false, "me"));
        scene.pass(Duration.ofHours(12));
        assertThat(scene.phase(job)).isEqualTo("Running");
        assertThat(scene.phase(scene.submit(aJob()))).isEqualTo("Waiting");
        scene.completes(job);
        assertThat(scene.phase(job)).isEqualTo("COMPLETED completed");
    }

    @Test
    void jobsThatStillRunAtTheDeadlineAreStopped() {
        JobId job = running();
        scene.tell(new Command.Drain(N1, false, Duration.ofHours(1), "me"));
        scene.pass(Duration.ofMinutes(59));
        assertThat(scene.phase(job)).isEqualTo("Running");
        scene.pass(Duration.ofMinutes(2));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        scene.ends(job, Exit.How.STOPPED, 143);
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(scene.engine().state().nodes().drainsDue(Instant.MAX)).isEmpty();
    }

    @Test
    void anotherDrainOrAnUncordonTakesTheDeadlineAway() {
        JobId job = running();
        scene.tell(new Command.Drain(N1, false, Duration.ofHours(1), "me"));
        scene.tell(new Command.Drain(N1, false, "me"));
        scene.pass(Duration.ofHours(2));
        assertThat(scene.phase(job)).isEqualTo("Running");
        scene.tell(new Command.Drain(N1, false, Duration.ofHours(1), "me"));
        scene.tell(new Command.Uncordon(N1, "me"));
        scene.pass(Duration.ofHours(2));
        assertThat(scene.phase(job)).isEqualTo("Running");
    }

    @Test
    void theDeadlineSurvivesARestart() {
        running();
        scene.tell(new Command.Drain(N1, false, Duration.ofHours(1), "me"));
        var policy = scene.engine().policy();
        var replayed = new Engine(policy, EngineSettings.DEFAULT);
        scene.journal().replay(0, replayed::apply);
        var restored = Engine.restore(scene.engine().image(), policy, EngineSettings.DEFAULT);
        for (Engine engine : List.of(replayed, restored)) {
            Instant deadline = scene.now().plus(Duration.ofHours(1));
            assertThat(engine.state().nodes().drainsDue(deadline.minusSeconds(1))).isEmpty();
            assertThat(engine.state().nodes().drainsDue(deadline)).containsExactly(N1);
        }
    }

    @Test
    void aJobThatMustNotRunTwiceFinishesOrFailsAndSaysWhy() {
        JobId job = scene.submit(aJob().neverRequeued());
        scene.runs(job);
        scene.tell(new Command.Drain(N1, false, "me"));
        assertThat(scene.phase(job)).isEqualTo("Running");
        scene.tell(new Command.Drain(N1, true, "me"));
        scene.ends(job, Exit.How.STOPPED, 143);
        assertThat(scene.phase(job))
                .isEqualTo(
                        "FAILED node n1 is drained; the job is not queued again because requeue is"
                                + " false");
    }

    @Test
    void onlyNodesThatTakeNewJobsCountAsCapacity() {
        scene.join(aNode("n2").agent("other").build());
        scene.submit(aJob().gpus(8));
        assertThat(share()).isEqualTo(0.5);
        scene.tell(new Command.Cordon(new NodeId("n2"), "me"));
        assertThat(share()).isEqualTo(1);
        scene.tell(new Command.Uncordon(new NodeId("n2"), "me"));
        assertThat(share()).isEqualTo(0.5);
        scene.tell(new Report.Fenced(new AgentId("other")));
        assertThat(share()).isEqualTo(1);
        scene.join();
        assertThat(share()).isEqualTo(0.5);
    }

    private double share() {
        return scene.engine().state().tenantShares(scene.now()).stream()
                .filter(one -> one.tenant().id().equals(new TenantId("default")))
                .findFirst()
                .orElseThrow()
                .now();
    }

    private JobId running() {
        JobId job = scene.submit(aJob().gpus(8));
        scene.runs(job);
        return job;
    }
}
