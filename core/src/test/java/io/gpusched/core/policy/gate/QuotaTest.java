package io.gpusched.core.policy.gate;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.RetryCondition;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.function.LongFunction;

/// Each of the five quotas by itself: everything else there is plenty of, so that nothing but this
/// one limit can keep a job.
final class QuotaTest {
    private static final long ANY = Limits.UNLIMITED;

    /// @param field of a request, where one would ask for less
    /// @param all as much as the tenant may have
    /// @param jobs a job that asks for so much of it
    record Kind(
            String name,
            String field,
            long all,
            LongFunction<Limits> limits,
            LongFunction<JobBuilder> jobs) {
        JobBuilder asking(long amount) {
            return jobs.apply(amount).of("team");
        }

        String sentence(long requested, long quota, long current) {
            return "quota exceeded for tenant team: %s requested=%d, quota=%d, current=%d"
                    .formatted(name, requested, quota, current);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Kind> kinds() {
        return List.of(
                new Kind(
                        "GPUs",
                        "gpu_count",
                        3,
                        n -> new Limits(n * 1000, ANY, ANY, ANY, ANY),
                        n -> aJob().gpus((int) n)),
                new Kind(
                        "GPU memory MB",
                        "gpu_memory_mb",
                        40_000,
                        n -> new Limits(ANY, n, ANY, ANY, ANY),
                        n -> aJob().gpuMemoryMiB((int) n)),
                new Kind(
                        "CPU cores",
                        "cpu_cores",
                        12,
                        n -> new Limits(ANY, ANY, n * 1000, ANY, ANY),
                        n -> aJob().cores(n)),
                new Kind(
                        "memory MB",
                        "memory_mb",
                        10_000,
                        n -> new Limits(ANY, ANY, ANY, n, ANY),
                        n -> aJob().memoryMiB(n)),
                new Kind(
                        "concurrent jobs",
                        "tenant_id",
                        1,
                        n -> new Limits(ANY, ANY, ANY, ANY, n),
                        n -> aJob()));
    }

    private static Scene teamWith(Limits limits) {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("team", limits, false);
        return scene;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whoFindsTheQuotaFullWaitsUntilItIsReturned(Kind kind) {
        Scene scene = teamWith(kind.limits.apply(kind.all));
        JobId first = scene.submit(kind.asking(kind.all));
        assertThat(scene.phase(first)).as("the whole limit may be used").isEqualTo("Starting");

        JobId second = scene.submit(kind.asking(1));
        assertThat(scene.phase(second)).isEqualTo("Waiting");
        var why = scene.explainer().explain(second);
        assertThat(why.summary()).isEqualTo(kind.sentence(1, kind.all, kind.all));
        assertThat(why.reasons())
                .extracting(r -> r.refusal().by(), r -> r.refusal().liftedBy())
                .containsExactly(
                        tuple(
                                "quota",
                                List.of(new RetryCondition.OfTenant(scene.job(second).tenant()))));
        assertThat(scene.phase(scene.submit(kind.jobs.apply(1))))
                .as("another tenant's job")
                .isEqualTo("Starting");

        scene.completes(first);
        assertThat(scene.phase(second)).isEqualTo("Starting");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whoCouldNeverFitIsRejected(Kind kind) {
        long less = kind.all - 1;
        Scene scene = teamWith(kind.limits.apply(less));
        Answer answer =
                scene.tell(new Command.Submit(kind.asking(kind.all).spec(), "", 0, false, "me"));
        assertThat(((Answer.Rejected) answer).problems())
                .extracting(Problem::code, Problem::field, Problem::message)
                .containsExactly(
                        tuple(Problem.Code.QUOTA, kind.field, kind.sentence(kind.all, less, 0)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whoAsksForAsMuchAsTheHintSaysIsTaken(Kind kind) {
        long less = kind.all - 1;
        Scene scene = teamWith(kind.limits.apply(less));
        String hint = refusal(scene, kind.asking(kind.all)).hint();
        if (kind.field.equals("tenant_id")) {
            assertThat(hint).startsWith("submit it for a tenant that may run jobs");
            scene.submit(kind.jobs.apply(1));
        } else {
            assertThat(hint).startsWith("ask for at most " + less + " ");
            scene.submit(kind.asking(less));
        }
        assertThat(hint).endsWith("or have the quota of team raised");
    }

    /// What is in use passes; what is named must be what would still be too much then.
    @Test
    void whatCouldNeverFitIsNamedBeforeWhatIsInUse() {
        Scene scene = teamWith(new Limits(2000, ANY, ANY, 1000, ANY));
        scene.submit(aJob().gpus(2).of("team"));
        Problem problem = refusal(scene, aJob().gpus(1).memoryMiB(1001).of("team"));
        assertThat(problem.field()).isEqualTo("memory_mb");
        assertThat(problem.message())
                .isEqualTo(
                        "quota exceeded for tenant team: memory MB requested=1001, quota=1000,"
                                + " current=0");
    }

    private static Problem refusal(Scene scene, JobBuilder job) {
        Answer answer = scene.tell(new Command.Submit(job.spec(), "", 0, false, "me"));
        return ((Answer.Rejected) answer).problems().getFirst();
    }

    @Test
    void gpuMemoryCountsOncePerJobOrForEveryGpu() {
        var limit =
                new Limits(
                        Limits.UNLIMITED,
                        150_000,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED);
        JobBuilder job = aJob().of("team").gpus(8).gpuMemoryMiB(80_000);
        Scene usual = Scene.with(aNode("n1").build());
        usual.tenant("team", limit, false);
        assertThat(usual.where(usual.submit(job))).isEqualTo("n1[0-7]");
        assertThat(usual.engine().state().tenants().usage(new TenantId("team")).gpuMemoryMiB())
                .isEqualTo(80_000);

        var multiplied = new Scene("priority", EngineSettings.DEFAULT.withGpuMemoryPerGpu(true));
        multiplied.join(aNode("n1").build());
        multiplied.tenant("team", limit, false);
        assertThat(multiplied.tell(new Command.Submit(job.spec(), "", 0, false, "me")))
                .isInstanceOf(Answer.Rejected.class);
        JobId small = multiplied.submit(aJob().of("team").gpus(1).gpuMemoryMiB(70_000));
        assertThat(multiplied.where(small)).isEqualTo("n1[0]");
        JobId two = multiplied.submit(aJob().of("team").gpus(2).gpuMemoryMiB(70_000));
        assertThat(multiplied.phase(two)).isEqualTo("Waiting");
        var replayed = new Engine(multiplied.engine().policy(), EngineSettings.DEFAULT);
        multiplied.journal().replay(0, replayed::apply);
        assertThat(replayed.digest())
                .as("how a job is counted is recorded with it")
                .isEqualTo(multiplied.engine().digest());
    }
}
