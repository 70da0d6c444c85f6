package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.PayloadLimits;
import io.gpusched.core.state.StateImage;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/// Payloads are in memory only while somebody may run them, and never more than fit.
final class PayloadCheckTest {
    private static final long KIB = 1024;
    private static final EngineSettings LIMITED =
            EngineSettings.DEFAULT.with(new PayloadLimits(10 * KIB, 15 * KIB));

    @Test
    void anEndedJobLeavesItsPayload() {
        var scene = new Scene("priority", LIMITED);
        JobId waits = accepted(submit(scene, "default", 4));
        JobId ends = accepted(submit(scene, "default", 5));
        scene.tell(new Command.Cancel(ends, "me"));

        assertThat(scene.job(waits).spec().payload().size()).isEqualTo(4 * KIB);
        assertThat(scene.job(ends).ended()).isTrue();
        assertThat(scene.job(ends).spec().payload()).isEqualTo(Payload.NOTHING);
        assertThat(scene.engine().state().payloads().total()).isEqualTo(4 * KIB);
    }

    @Test
    void aJobThatRanLeavesItsPayloadToo() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = accepted(submit(scene, "default", 5));
        scene.runs(job);
        assertThat(scene.job(job).spec().payload().size()).isEqualTo(5 * KIB);
        scene.completes(job);

        assertThat(scene.job(job).spec().payload()).isEqualTo(Payload.NOTHING);
        assertThat(scene.engine().state().payloads().total()).isZero();
    }

    @Test
    void oneTenantCannotTakeTheRoomOfAll() {
        var scene = new Scene("priority", LIMITED);
        scene.tenant("a", Limits.NONE, false);
        scene.tenant("b", Limits.NONE, false);
        JobId first = accepted(submit(scene, "a", 9));

        Problem own = refused(submit(scene, "a", 2));
        assertThat(own.code()).isEqualTo(Problem.Code.QUEUE_FULL);
        assertThat(own.message()).contains("jobs of tenant a").contains("limit: 10 KiB");
        accepted(submit(scene, "b", 6));
        Problem all = refused(submit(scene, "b", 1));
        assertThat(all.message()).contains("all waiting and running jobs").contains("15 KiB");
        scene.tell(new Command.Cancel(first, "me"));
        accepted(submit(scene, "b", 1));
    }

    @Test
    void aPayloadThatNeverFitsIsInvalid() {
        Problem problem = refused(submit(new Scene("priority", LIMITED), "default", 11));
        assertThat(problem.code()).isEqualTo(Problem.Code.INVALID);
        assertThat(problem.field()).isEqualTo("script");
        assertThat(problem.message()).contains("11 KiB").contains("at most 10 fit");
    }

    /// Images written before ended jobs left their payloads still have them.
    @Test
    void anImageThatHasPayloadsOfEndedJobsLeadsToTheSameState() {
        var scene = new Scene("priority", LIMITED);
        accepted(submit(scene, "default", 4));
        JobId ends = accepted(submit(scene, "default", 5));
        scene.tell(new Command.Cancel(ends, "me"));
        StateImage image = StateImage.of(scene.engine().state(), 1);
        List<Job> old =
                image.jobs().stream()
                        .map(job -> job.ended() ? job.withPayload(payload(5)) : job)
                        .toList();

        Engine restored =
                Engine.restore(
                        withJobs(image, old),
                        Objects.requireNonNull(Policies.named("priority", LIMITED.policy())),
                        LIMITED);

        assertThat(restored.state().digest()).isEqualTo(scene.engine().state().digest());
        assertThat(restored.state().payloads().total()).isEqualTo(4 * KIB);
        Job over = Objects.requireNonNull(restored.state().job(ends));
        assertThat(over.spec().payload()).isEqualTo(Payload.NOTHING);
    }

    private static StateImage withJobs(StateImage image, List<Job> jobs) {
        return new StateImage(
                image.batch(),
                image.at(),
                image.term(),
                image.ledger(),
                image.policy(),
                image.lastJob(),
                image.lastClaim(),
                image.tenants(),
                image.nodes(),
                jobs,
                image.ended(),
                image.claims(),
                image.keys(),
                image.agents(),
                image.pools(),
                image.models(),
                image.cached(),
                image.bindings(),
                image.deadlines(),
                image.markets(),
                image.carbon(),
                image.asked(),
                image.idle(),
                image.lease(),
                image.policyChanges());
    }

    private static Answer submit(Scene scene, String tenant, int kib) {
        var spec = aJob().of(tenant).spec().withPayload(payload(kib));
        return scene.tell(new Command.Submit(spec, "", 0, false, "me"));
    }

    private static Payload payload(int kib) {
        return new Payload(
                "x".repeat((int) (kib * KIB)), List.of(), List.of(), Labels.NONE, "", "");
    }

    private static JobId accepted(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Accepted.class);
        return Objects.requireNonNull(((Answer.Accepted) answer).job());
    }

    private static Problem refused(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Rejected.class);
        return ((Answer.Rejected) answer).problems().getFirst();
    }
}
