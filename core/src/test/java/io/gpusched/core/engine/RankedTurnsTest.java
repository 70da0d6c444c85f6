package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.HeadRanker;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.policy.RankingModel;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/// Where a model orders the queue, it decides which job goes first, and nothing else.
final class RankedTurnsTest {
    private static final Duration BOUND = Duration.ofHours(12);

    private record TestModel(HeadRanker ranker) implements RankingModel {
        @Override
        public String name() {
            return "test";
        }
    }

    private static Scene scene(String policy, int gpus, HeadRanker ranker) {
        PolicySettings rules =
                PolicySettings.DEFAULT.with(new LearnedSettings(new TestModel(ranker), BOUND));
        var scene = new Scene(policy, EngineSettings.builder().policy(rules).build());
        scene.join(aNode("n1").gpus(gpus).build());
        return scene;
    }

    private static HeadRanker by(ToDoubleFunction<Job> score) {
        return (cluster, heads, now, scores) -> {
            for (int i = 0; i < heads.size(); i++) {
                scores[i] = (float) score.applyAsDouble(heads.get(i));
            }
        };
    }

    private static HeadRanker shortestFirst() {
        return by(job -> -job.spec().limit().toSeconds());
    }

    private static JobBuilder minutes(long limit) {
        return aJob().gpus(1).limit(Duration.ofMinutes(limit));
    }

    /// Keeps all GPUs busy, so that the jobs that come next wait together.
    private static JobId busy(Scene scene, int gpus) {
        JobId job = scene.submit(aJob().gpus(gpus).limit(Duration.ofHours(1)));
        scene.runs(job);
        return job;
    }

    private static List<String> phases(Scene scene, List<JobId> jobs) {
        return jobs.stream().map(scene::phase).toList();
    }

    private static CycleResult.Work work(Scene scene) {
        return Objects.requireNonNull(scene.last()).work();
    }

    @Test
    void theHeadWithTheLargestScoreGoesFirst() {
        Scene scene = scene("learned", 1, shortestFirst());
        JobId first = busy(scene, 1);
        List<JobId> jobs =
                List.of(
                        scene.submit(minutes(60)),
                        scene.submit(minutes(10)),
                        scene.submit(minutes(30)));
        scene.completes(first);
        assertThat(phases(scene, jobs)).containsExactly("Waiting", "Starting", "Waiting");
        assertThat(work(scene).rankings()).isPositive();
        assertThat(work(scene).invalidRankings()).isZero();
    }

    @Test
    void headsOfEqualScoreKeepTheQueueOrder() {
        Scene scene = scene("learned", 1, by(job -> 1));
        JobId first = busy(scene, 1);
        List<JobId> jobs = List.of(scene.submit(minutes(60)), scene.submit(minutes(10)));
        scene.completes(first);
        assertThat(phases(scene, jobs)).containsExactly("Starting", "Waiting");
    }

    /// With 3 GPUs free the model wants a job of 2, with 1 left the one that it liked least before.
    @Test
    void theHeadsAreRankedAgainAfterEveryPlacement() {
        HeadRanker ranker =
                (cluster, heads, now, scores) -> {
                    boolean many = Long.bitCount(cluster.nodes().all().getFirst().idleGpus()) >= 3;
                    for (int i = 0; i < heads.size(); i++) {
                        float minutes = heads.get(i).spec().limit().toMinutes();
                        scores[i] = many ? minutes : -minutes;
                    }
                };
        Scene scene = scene("learned", 3, ranker);
        JobId first = busy(scene, 3);
        List<JobId> jobs =
                List.of(
                        scene.submit(minutes(10)),
                        scene.submit(minutes(20)),
                        scene.submit(minutes(90).gpus(2)));
        scene.completes(first);
        assertThat(phases(scene, jobs)).containsExactly("Starting", "Waiting", "Starting");
    }

    @Test
    void anInvalidRankingLeavesTheQueueOrderAndIsCounted() {
        for (double score : List.of(Double.NaN, Double.POSITIVE_INFINITY)) {
            HeadRanker ranker = by(job -> job.id().number() == 3 ? score : job.id().number());
            Scene scene = scene("learned", 1, ranker);
            JobId first = busy(scene, 1);
            List<JobId> jobs =
                    List.of(
                            scene.submit(minutes(60)),
                            scene.submit(minutes(10)),
                            scene.submit(minutes(30)));
            scene.completes(first);
            assertThat(phases(scene, jobs)).containsExactly("Starting", "Waiting", "Waiting");
            assertThat(work(scene).invalidRankings())
                    .isEqualTo(work(scene).rankings())
                    .isPositive();
        }
    }

    @Test
    void aJobOfHigherPriorityGoesFirstUnlessThePolicyMixesPriorities() {
        for (String policy : Policies.LEARNED) {
            Scene scene = scene(policy, 1, shortestFirst());
            JobId first = scene.submit(minutes(60).priority(500));
            scene.runs(first);
            List<JobId> jobs =
                    List.of(
                            scene.submit(minutes(10).priority(100)),
                            scene.submit(minutes(60).priority(200)),
                            scene.submit(minutes(30).priority(200)));
            scene.completes(first);
            assertThat(phases(scene, jobs))
                    .as(policy)
                    .containsExactlyElementsOf(
                            policy.equals("learned")
                                    ? List.of("Waiting", "Waiting", "Starting")
                                    : List.of("Starting", "Waiting", "Waiting"));
        }
    }

    @Test
    void jobsArePreemptedForHigherPriorityUnlessThePolicyMixesPriorities() {
        for (String policy : Policies.LEARNED) {
            Scene scene = scene(policy, 1, shortestFirst());
            scene.tenant("weak", 16, true);
            JobId low = scene.submit(minutes(600).of("weak").priority(1));
            scene.runs(low);
            scene.submit(minutes(60).priority(500));
            assertThat(scene.phase(low))
                    .as(policy)
                    .isEqualTo(policy.equals("learned") ? "Stopping" : "Running");
        }
    }

    /// A job for two GPUs waits while the model always prefers jobs for one.
    @Test
    void aJobThatHasWaitedTooLongHasTheReservation() {
        Scene scene = scene("learned", 2, shortestFirst());
        JobId one = scene.submit(minutes(60));
        scene.runs(one);
        JobId large = scene.submit(minutes(600).gpus(2));
        scene.pass(Duration.ofHours(11));
        JobId overtakes = scene.submit(minutes(120));
        assertThat(phases(scene, List.of(large, overtakes))).containsExactly("Waiting", "Starting");
        assertThat(scene.engine().state().claims()).isEmpty();

        scene.runs(overtakes);
        scene.pass(Duration.ofHours(1));
        assertThat(scene.engine().state().claims()).hasSize(1);
        assertThat(scene.engine().state().claims().getFirst().isFor(large)).isTrue();
        scene.completes(one);
        JobId tooLong = scene.submit(minutes(120));
        assertThat(scene.phase(tooLong)).isEqualTo("Waiting");
        scene.completes(overtakes);
        assertThat(phases(scene, List.of(large, tooLong))).containsExactly("Starting", "Waiting");
    }

    @Test
    void ofJobsThatHaveWaitedTooLongTheLongestWaitGoesFirst() {
        Scene scene = scene("learned-mixed", 1, shortestFirst());
        JobId first = busy(scene, 1);
        JobId held = submitHeld(scene, minutes(50));
        JobId second = scene.submit(minutes(90));
        scene.pass(Duration.ofHours(10));
        scene.tell(new Command.Release(held, "tester"));
        scene.pass(Duration.ofHours(3));
        scene.completes(first);
        assertThat(scene.phase(second)).as("waited 13 hours").isEqualTo("Starting");
        assertThat(scene.phase(held)).as("waited 3 hours, held for 10").isEqualTo("Waiting");
    }

    /// The released job came first, but its equal has waited longer and must not be hidden by it.
    @Test
    void aJobThatHasWaitedTooLongIsSeenBehindAnEqualJobThatWasHeld() {
        for (String policy : Policies.LEARNED) {
            Scene scene = scene(policy, 1, shortestFirst());
            JobId first = busy(scene, 1);
            JobId held = submitHeld(scene, minutes(90));
            JobId equal = scene.submit(minutes(90));
            scene.pass(Duration.ofHours(11));
            scene.tell(new Command.Release(held, "tester"));
            JobId preferred = scene.submit(minutes(10));
            scene.pass(Duration.ofHours(2));
            scene.completes(first);
            assertThat(phases(scene, List.of(held, equal, preferred)))
                    .as(policy)
                    .containsExactly("Waiting", "Starting", "Waiting");
        }
    }

    private static JobId submitHeld(Scene scene, JobBuilder job) {
        Answer answer = scene.tell(new Command.Submit(job.spec(), "", 0, true, "tester"));
        return Objects.requireNonNull(((Answer.Accepted) answer).job());
    }

    /// A job that needs the whole quota of its tenant waits while the model prefers small ones.
    @Test
    void quotaIsKeptOnlyForAJobThatHasWaitedTooLong() {
        Scene scene = scene("learned", 8, shortestFirst());
        scene.tenant("team", 2, false);
        JobId first = scene.submit(minutes(600).of("team"));
        scene.runs(first);
        JobId large = scene.submit(minutes(60).of("team").gpus(2));
        scene.pass(Duration.ofHours(11));
        JobId second = scene.submit(minutes(600).of("team"));
        assertThat(phases(scene, List.of(large, second))).containsExactly("Waiting", "Starting");

        scene.runs(second);
        scene.pass(Duration.ofHours(2));
        scene.completes(first);
        JobId third = scene.submit(minutes(10).of("team"));
        assertThat(scene.phase(third)).isEqualTo("Waiting");
        assertThat(scene.explainer().explain(third).summary())
                .startsWith("waits behind " + large + " of the same tenant");
        scene.completes(second);
        assertThat(phases(scene, List.of(large, third))).containsExactly("Starting", "Waiting");
    }

    @Test
    void onlyTheFirstHeadsAreRanked() {
        var seen = new ArrayList<Integer>();
        HeadRanker lastFirst =
                (cluster, heads, now, scores) -> {
                    seen.add(heads.size());
                    for (int i = 0; i < heads.size(); i++) {
                        scores[i] = i;
                    }
                };
        Scene scene = scene("learned", 1, lastFirst);
        JobId first = busy(scene, 1);
        var jobs = new ArrayList<JobId>();
        for (int i = 0; i < Ranking.HEADS + 6; i++) {
            jobs.add(scene.submit(minutes(10 + i)));
        }
        scene.completes(first);
        assertThat(seen).isNotEmpty().allMatch(size -> size <= Ranking.HEADS);
        assertThat(scene.phase(jobs.get(Ranking.HEADS - 1))).isEqualTo("Starting");
    }

    @Test
    void anExplanationNamesTheModel() {
        Scene scene = scene("learned", 1, shortestFirst());
        busy(scene, 1);
        JobId job = scene.submit(minutes(60));
        assertThat(scene.explainer().explain(job).summary())
                .startsWith("waits for 1 GPU in the order of model test: ");
    }

    @Test
    void withoutAModelThePolicyIsRefusedWithTheRemedy() {
        var scene = new Scene("priority");
        Answer answer = scene.tell(new Command.SetPolicy("learned", "tester"));
        assertThat(answer).isInstanceOf(Answer.Rejected.class);
        Problem problem = ((Answer.Rejected) answer).problems().getFirst();
        assertThat(problem.hint())
                .isEqualTo("load a model: learned goes by a trained model, and there is none here");
        assertThat(Policies.names(PolicySettings.DEFAULT)).doesNotContain("learned");
    }

    @Test
    void aPolicyWithAModelCanBeChosenAndLeftWhileJobsWait() {
        Scene scene = scene("fifo", 1, shortestFirst());
        JobId first = busy(scene, 1);
        List<JobId> jobs =
                List.of(
                        scene.submit(minutes(60)),
                        scene.submit(minutes(10)),
                        scene.submit(minutes(30)));
        scene.tell(new Command.SetPolicy("learned", "tester"));
        scene.completes(first);
        assertThat(phases(scene, jobs)).containsExactly("Waiting", "Starting", "Waiting");
        scene.tell(new Command.SetPolicy("fifo", "tester"));
        scene.runs(jobs.get(1));
        scene.completes(jobs.get(1));
        assertThat(scene.phase(jobs.getFirst())).isEqualTo("Starting");
    }
}
