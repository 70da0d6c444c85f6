package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.state.JobTable;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The first in line get GPU models all at once.
final class BatchAssignmentTest {
    private static final List<String> MODELS = List.of("A100-80GB", "V100-32GB", "T4-16GB");

    private static Scene scene(boolean together) {
        var settings =
                EngineSettings.builder()
                        .policy(
                                PolicySettings.DEFAULT.with(
                                        PlacementSettings.DEFAULT
                                                .withPlacer("learned")
                                                .placingTogether(together)))
                        .maxWaiting(1000)
                        .build()
                        .with(PredictionSettings.NONE.learning());
        return new Scene("priority", settings);
    }

    private static void observe(Scene scene, String kind, String model, long seconds) {
        for (int i = 0; i < 8; i++) {
            scene.tell(
                    new Command.Observe(
                            kind,
                            model,
                            Duration.ofSeconds(seconds),
                            List.of(),
                            new Features(1, 0, 0, 0),
                            "tester"));
        }
    }

    private static String model(Scene scene, JobId job) {
        return JobProfiles.gpu(scene.run(job).on(), scene.engine().state());
    }

    /// Two jobs that come when one A100 and one V100 are free; the first does not mind.
    private static Scene twoJobs(boolean together) {
        Scene scene = scene(together);
        observe(scene, "easy", "A100-80GB", 600);
        observe(scene, "easy", "V100-32GB", 660);
        observe(scene, "hard", "A100-80GB", 600);
        observe(scene, "hard", "V100-32GB", 3600);
        scene.join(
                aNode("a").gpus(1).model("A100-80GB").build(),
                aNode("v").gpus(1).model("V100-32GB").build());
        scene.tellTogether(submission(aJob().kind("easy")), submission(aJob().kind("hard")));
        return scene;
    }

    private static Input submission(JobBuilder job) {
        return new Command.Submit(job.spec(), "", 0, false, "tester");
    }

    @Test
    void whoMindsLessLeavesTheFasterModelToWhoNeedsIt() {
        Scene alone = twoJobs(false);
        assertThat(model(alone, new JobId(1))).isEqualTo("A100-80GB");
        assertThat(model(alone, new JobId(2))).isEqualTo("V100-32GB");
        Scene together = twoJobs(true);
        assertThat(model(together, new JobId(1))).isEqualTo("V100-32GB");
        assertThat(model(together, new JobId(2))).isEqualTo("A100-80GB");
    }

    @Test
    void togetherTheFirstInLineTakeLessTimeThanOneByOne() {
        double oneByOne = 0;
        double together = 0;
        for (long seed = 1; seed <= 25; seed++) {
            double single = meanCompletion(seed, false);
            double joint = meanCompletion(seed, true);
            assertThat(joint).as("seed %s", seed).isLessThan(1.1 * single);
            oneByOne += single;
            together += joint;
        }
        assertThat(together).isLessThan(0.9 * oneByOne);
    }

    /// Of twelve jobs for which there is just room enough, all there at once.
    private static double meanCompletion(long seed, boolean plans) {
        var random = new Random(seed);
        Scene scene = scene(plans);
        Map<String, Long> truth = new LinkedHashMap<>();
        for (int kind = 0; kind < 4; kind++) {
            long seconds = 60L + random.nextInt(3600);
            for (String model : MODELS) {
                truth.put(kind + model, seconds);
                observe(scene, "kind-" + kind, model, seconds);
                seconds = (long) (seconds * (1 + 3 * random.nextDouble()));
            }
        }
        var jobs = new Input[12];
        var kinds = new int[jobs.length];
        for (int i = 0; i < jobs.length; i++) {
            kinds[i] = random.nextInt(4);
            jobs[i] = submission(aJob().kind("kind-" + kinds[i]));
        }
        scene.join(nodes());
        scene.tellTogether(jobs);
        double sum = 0;
        for (int i = 0; i < jobs.length; i++) {
            sum += truth.getOrDefault(kinds[i] + model(scene, new JobId(i + 1)), 0L);
        }
        return sum / jobs.length;
    }

    private static Node[] nodes() {
        var nodes = new ArrayList<Node>();
        for (String model : MODELS) {
            nodes.add(aNode(model.substring(0, 2)).gpus(4).model(model).build());
        }
        return nodes.toArray(new Node[0]);
    }

    @Test
    void whoDoesNotFitWhereItWasMeantToGoStartsElsewhere() {
        Scene scene = scene(true);
        for (String kind : List.of("a", "b", "c")) {
            observe(scene, kind, "A100-80GB", 600);
            observe(scene, kind, "V100-32GB", 3600);
        }
        scene.join(
                aNode("a1").gpus(2).model("A100-80GB").build(),
                aNode("a2").gpus(2).model("A100-80GB").build(),
                aNode("v").gpus(8).model("V100-32GB").build());
        scene.tellTogether(
                submission(aJob().kind("a").gpus(1)),
                submission(aJob().kind("b").gpus(1)),
                submission(aJob().kind("c").gpus(2)),
                submission(aJob().kind("c").gpus(2)),
                submission(aJob().tasks(2).gpus(1)));
        for (int number = 1; number <= 5; number++) {
            assertThat(scene.phase(new JobId(number))).as("%s", number).isEqualTo("Starting");
        }
    }

    @Test
    void theFirstInLineAreTheFirstOfAllWhoWait() {
        for (long seed = 1; seed <= 20; seed++) {
            var random = new Random(seed);
            Scene scene = scene(true);
            for (int step = 1; step < 200; step++) {
                scene.pass(Duration.ofSeconds(random.nextInt(40)));
                JobBuilder job = aJob().gpus(1 + random.nextInt(3)).priority(random.nextInt(4));
                JobId id = scene.submit(job);
                var other = new JobId(1 + random.nextInt((int) id.number()));
                int what = random.nextInt(5);
                if (what == 0) {
                    scene.tell(new Command.Cancel(other, "tester"));
                } else if (what == 1) {
                    scene.tell(new Command.Hold(other, "tester"));
                } else if (what == 2) {
                    scene.tell(new Command.Release(other, "tester"));
                }
            }
            assertThat(scene.engine().state().queue().firstJobs(64))
                    .as("seed %s", seed)
                    .isEqualTo(expected(scene, 64));
        }
    }

    private static List<Job> expected(Scene scene, int most) {
        var waitQueue = scene.engine().state().queue();
        JobTable table = scene.engine().state().jobs();
        var jobs = new ArrayList<Job>();
        for (long number = table.first(); number <= table.last(); number++) {
            Job job = table.job(number);
            if (job != null && job.waiting()) {
                jobs.add(job);
            }
        }
        jobs.sort(Comparator.comparingLong(waitQueue::key).thenComparing(Job::id));
        return jobs.subList(0, Math.min(most, jobs.size()));
    }
}
