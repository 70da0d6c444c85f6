package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Jobs that may not be tried before a certain time.
final class PostponedTest {
    @Test
    void aJobWhosePriorityChangesWhilePostponedStandsInLineOnce() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob().gpus(1));
        scene.tell(
                new Report.StartRefused(scene.run(job).id(), 0, "not now", Duration.ofSeconds(1)));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        scene.tell(new Command.Reprioritise(job, 50, "tester"));
        scene.tell(new Command.Reprioritise(job, 0, "tester"));
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.where(job)).isEqualTo("n1[0]");
        JobId alike = scene.submit(aJob().gpus(1));
        assertThat(scene.where(alike)).isEqualTo("n1[1]");
    }

    /// A smaller request would not pass the time either.
    @Test
    void whoeverOnlyLetsTimePassIsToldOfNobodyInItsWayAndOfNoChange() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.submit(aJob().gpus(4));
        JobId job = scene.submit(aJob().gpus(2));
        scene.tell(
                new Report.StartRefused(scene.run(job).id(), 0, "not now", Duration.ofSeconds(1)));
        Explanation why = scene.explainer().explain(job);
        assertThat(why.summary()).startsWith("not tried before ");
        assertThat(why.changes()).isEmpty();
        assertThat(why.holders()).isEmpty();
    }

    @Test
    void aJobWhosePriorityChangesWhileRoomIsMadeForItStandsInLineOnce() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        scene.tenant("low", 8, true);
        JobId low = scene.submit(aJob().of("low").gpus(1));
        scene.runs(low);
        JobId high = scene.submit(aJob().priority(500).gpus(1));
        assertThat(scene.phase(low)).isEqualTo("Stopping");
        scene.tell(new Command.Reprioritise(high, 400, "tester"));
        scene.ends(low, Exit.How.STOPPED, 143);
        assertThat(scene.where(high)).isEqualTo("n1[0]");
        scene.completes(high);
        assertThat(scene.where(low)).isEqualTo("n1[0]");
        assertThat(scene.engine().state().waitingJobs()).isZero();
    }
}
