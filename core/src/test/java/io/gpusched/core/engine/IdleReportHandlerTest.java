package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.JobId;
import io.gpusched.core.state.StateImage;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// What becomes of jobs that hold GPUs and do not use them.
final class IdleReportHandlerTest {
    private static final Duration AFTER = Duration.ofMinutes(30);
    private static final Duration GRACE = Duration.ofMinutes(10);

    @Test
    void aTurnIsRecordedOnceHoweverOftenItIsTold() {
        Scene scene = scene(false);
        JobId job = started(scene, aJob());
        scene.pass(Duration.ofMinutes(45));
        Instant since = scene.now().minus(AFTER);
        assertThat(events(tell(scene, job, 0, AFTER))).isEqualTo(1);
        scene.pass(Duration.ofMinutes(5));
        assertThat(events(tell(scene, job, 0, AFTER.plusMinutes(5)))).isZero();
        assertThat(scene.engine().state().idleTasks().all())
                .containsExactly(new IdleTask(scene.run(job).id(), 0, since));
        assertThat(events(tell(scene, job, 0, Duration.ZERO))).isEqualTo(1);
        assertThat(events(tell(scene, job, 0, Duration.ZERO))).isZero();
        assertThat(scene.engine().state().idleTasks().all()).isEmpty();
        assertThat(scene.phase(job)).isEqualTo("Running");
    }

    @Test
    void anIdleJobIsStoppedWhenItsGraceIsOverAndFailsWithTheReason() {
        Scene scene = scene(true);
        JobId job = started(scene, aJob());
        Instant began = scene.now();
        scene.pass(AFTER);
        tell(scene, job, 0, AFTER);
        assertThat(scene.phase(job)).isEqualTo("Running");
        scene.pass(GRACE.minusSeconds(1));
        tell(scene, job, 0, AFTER.plus(GRACE).minusSeconds(1));
        assertThat(scene.phase(job)).isEqualTo("Running");
        scene.pass(Duration.ofSeconds(1));
        tell(scene, job, 0, AFTER.plus(GRACE));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        scene.ends(job, Exit.How.STOPPED, 143);
        assertThat(scene.phase(job)).isEqualTo("FAILED idle: used none of its GPUs since " + began);
        assertThat(scene.engine().state().idleTasks().all()).isEmpty();
    }

    @Test
    void nobodyIsStoppedWhereIdleJobsAreOnlyReported() {
        Scene scene = scene(false);
        JobId job = started(scene, aJob());
        assertThat(isStopped(scene, job)).isFalse();
    }

    @Test
    void aJobThatAskedToBeKeptIsKept() {
        Scene scene = scene(true);
        JobId job = started(scene, aJob().label(IdleRules.LABEL, IdleRules.KEEP));
        assertThat(isStopped(scene, job)).isFalse();
    }

    @Test
    void aGangIsIdleOnlyWhenAllItsTasksAre() {
        Scene scene = scene(true);
        JobId job = started(scene, aJob().tasks(2));
        Duration idle = AFTER.plus(GRACE).plusMinutes(5);
        scene.pass(idle);
        tell(scene, job, 0, idle);
        assertThat(scene.phase(job)).isEqualTo("Running");
        tell(scene, job, 1, AFTER);
        assertThat(scene.phase(job)).as("the later of the two counts").isEqualTo("Running");
        scene.pass(GRACE);
        tell(scene, job, 0, idle.plus(GRACE));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
    }

    @Test
    void aTaskThatHasEndedOrRunsAgainIsNotIdle() {
        Scene scene = scene(false);
        JobId job = started(scene, aJob().tasks(2));
        scene.pass(AFTER);
        tell(scene, job, 0, AFTER);
        tell(scene, job, 1, AFTER);
        var run = scene.run(job).id();
        scene.tell(new Report.TaskEnded(run, 1, new Exit(Exit.How.EXITED, 0, "")));
        assertThat(scene.engine().state().idleTasks().all()).hasSize(1);
        scene.tell(new Report.TaskEnded(run, 0, new Exit(Exit.How.LOST, -1, "")));
        assertThat(scene.engine().state().idleTasks().all()).isEmpty();
        scene.runs(job);
        assertThat(events(scene.tell(new Report.TaskUse(run, 0, AFTER))))
                .as("of the run before")
                .isZero();
    }

    @Test
    void idlenessIsPartOfTheImageAndOfTheDigest() {
        Scene scene = scene(false);
        JobId job = started(scene, aJob());
        scene.pass(AFTER);
        long before = scene.engine().digest();
        tell(scene, job, 0, AFTER);
        assertThat(scene.engine().digest()).isNotEqualTo(before);
        var image = StateImage.of(scene.engine().state(), 1);
        assertThat(image.idle()).hasSize(1);
    }

    @Test
    void aTaskWasNeverIdleBeforeItsRun() {
        Scene scene = scene(true);
        JobId job = started(scene, aJob());
        tell(scene, job, 0, Duration.ofDays(2));
        assertThat(scene.phase(job)).isEqualTo("Running");
        assertThat(scene.engine().state().idleTasks().all().getFirst().since())
                .isEqualTo(scene.run(job).placed());
    }

    private static boolean isStopped(Scene scene, JobId job) {
        scene.pass(AFTER.plus(GRACE));
        tell(scene, job, 0, AFTER.plus(GRACE));
        assertThat(scene.engine().state().idleTasks().all()).as("reported all the same").hasSize(1);
        return scene.phase(job).equals("Stopping");
    }

    private static Scene scene(boolean reclaims) {
        EngineSettings usual = EngineSettings.DEFAULT;
        var settings =
                EngineSettings.builder()
                        .policy(usual.policy())
                        .maxWaiting(usual.maxWaiting())
                        .assumedRuntime(usual.assumedRuntime())
                        .topologyLevels(usual.topologyLevels())
                        .fairShareSettings(usual.fairShareSettings())
                        .idle(new IdleRules(5, AFTER, reclaims, GRACE))
                        .build();
        var scene = new Scene("priority", settings);
        scene.join(aNode("n1").build());
        return scene;
    }

    private static JobId started(Scene scene, JobBuilder job) {
        JobId id = scene.submit(job.limit(Duration.ZERO));
        scene.runs(id);
        return id;
    }

    private static Answer tell(Scene scene, JobId job, int rank, Duration idleFor) {
        return scene.tell(new Report.TaskUse(scene.run(job).id(), rank, idleFor));
    }

    private static int events(Answer answer) {
        return ((Answer.Accepted) answer).events().size();
    }
}
