package io.gpusched.lab.learning;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.policy.score.BestFit;
import io.gpusched.core.policy.score.InterferenceCost;
import io.gpusched.core.state.ClusterView;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Measures interference in a simulated world with known slowdowns: six kinds of jobs, two jobs to
/// a GPU.
///
/// A run is slowed down by the jobs that it finds on its GPU when it starts, for its whole length;
/// the scheduler looks at the same jobs. Jobs that start or end later change nothing.
final class SharingExperiment implements LearningRun.Watcher {
    static final int RUNS = 2_000;
    private static final int KINDS = 6;
    private static final int GPUS = 24;
    private static final double NOISE = 0.15;

    /// The load, as a fraction of the capacity without interference.
    private static final double LOAD = 0.5;

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /// How GPUs are chosen.
    enum How {
        /// The fullest GPU with enough capacity: the default.
        PACKED,
        /// The emptiest GPU.
        SPREAD,
        /// The GPU with the least learned interference; the fullest among equals.
        INTERFERENCE
    }

    /// The error of the learned slowdowns.
    ///
    /// @param mean and `worst`: as a part of the true one, over all pairs
    record Off(double mean, double worst) {}

    private final double[][] slowdown = new double[KINDS][KINDS];
    private final List<ArrivingJob> jobs = new ArrayList<>();
    private final How how;
    private final Engine engine;
    private double turnaround;
    private int beside;

    private SharingExperiment(How how, long seed, int runs) {
        this.how = how;
        EngineSettings settings =
                EngineSettings.DEFAULT.with(new PredictionSettings(true, false, 0.8));
        this.engine = new Engine(policy(settings), settings);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        drawWorld(random);
        drawJobs(random, runs);
    }

    static SharingExperiment run(How how, long seed, int runs) {
        var sharingExperiment = new SharingExperiment(how, seed, runs);
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < GPUS; i++) {
            nodes.add(PhillyJobs.node("node-" + i, "A100", 1));
        }
        new LearningRun(
                        sharingExperiment.engine,
                        nodes,
                        sharingExperiment::seconds,
                        sharingExperiment)
                .run(sharingExperiment.jobs);
        return sharingExperiment;
    }

    private Policy policy(EngineSettings settings) {
        Policy plain = Objects.requireNonNull(Policies.named("fifo", settings.policy()));
        return plain.toBuilder().scorers(scorers(how)).breadth(Policy.EVERY_NODE).build();
    }

    private static List<WeightedScorer> scorers(How how) {
        return switch (how) {
            case PACKED -> List.of(new WeightedScorer(new BestFit(), 1));
            case SPREAD -> List.of(new WeightedScorer(new Emptiest(), 1));
            case INTERFERENCE ->
                    List.of(
                            new WeightedScorer(new BestFit(), 0.05),
                            new WeightedScorer(new InterferenceCost(), 1));
        };
    }

    /// Prefers free GPUs.
    private static final class Emptiest implements Scorer {
        @Override
        public String name() {
            return "emptiest";
        }

        @Override
        public void score(
                Job job,
                Shape shape,
                List<Candidate> candidates,
                ClusterView cluster,
                double[] cost) {
            for (int i = 0; i < candidates.size(); i++) {
                cost[i] = 1 - candidates.get(i).node().leftMilli(0) / 1000.0;
            }
        }
    }

    /// Half of the pairs hardly slow each other down, the other half take up to 2.5 times as long.
    private void drawWorld(RandomGenerator random) {
        for (double[] row : slowdown) {
            for (int other = 0; other < KINDS; other++) {
                row[other] =
                        random.nextBoolean()
                                ? 1 + 0.1 * random.nextDouble()
                                : 1.3 + 1.2 * random.nextDouble();
            }
        }
    }

    private void drawJobs(RandomGenerator random, int runs) {
        var base = new double[KINDS];
        double mean = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            base[kind] = 600 * Math.exp(1.5 * random.nextDouble());
            mean += base[kind] / KINDS;
        }
        double between = mean / (2 * GPUS * LOAD);
        double at = 0;
        for (int i = 0; i < runs; i++) {
            at -= between * Math.log(1 - random.nextDouble());
            int kind = random.nextInt(KINDS);
            jobs.add(
                    new ArrivingJob(
                            START.plus(Duration.ofMillis((long) (1000 * at))),
                            spec(kind),
                            base[kind] * Math.exp(NOISE * random.nextGaussian())));
        }
    }

    private static JobSpec spec(int kind) {
        Shape half = Shape.of(GpuRequest.shares(500, 0, 1), Resources.NONE);
        return JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(half, 1)))
                .name("job")
                .kind("kind-" + kind)
                .build();
    }

    private double seconds(ArrivingJob arrivingJob, Run run, Engine at) {
        Job job = Objects.requireNonNull(at.state().job(run.id().job()));
        double seconds = arrivingJob.seconds();
        for (String other : JobProfiles.neighbours(job, run.on(), at.state())) {
            seconds *= slowdown[number(arrivingJob.spec().kind())][number(other)];
            beside++;
        }
        return seconds;
    }

    private static int number(String kind) {
        return Integer.parseInt(kind.substring(kind.indexOf('-') + 1));
    }

    @Override
    public void ends(int job, Instant now) {
        turnaround += Duration.between(jobs.get(job).at(), now).toMillis() / 1e3 / jobs.size();
    }

    /// From submission to end, in seconds.
    double meanCompletion() {
        return turnaround;
    }

    /// The fraction of runs that found another job on their GPU.
    double besideOthers() {
        return (double) beside / jobs.size();
    }

    Off off() {
        double sum = 0;
        double worst = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            for (int other = 0; other < KINDS; other++) {
                var learned =
                        engine.learner()
                                .model()
                                .slowdown("kind-" + kind, List.of("kind-" + other), "A100");
                double off = Math.abs(learned.factor() / slowdown[kind][other] - 1);
                sum += off;
                worst = Math.max(worst, off);
            }
        }
        return new Off(sum / (KINDS * KINDS), worst);
    }
}
