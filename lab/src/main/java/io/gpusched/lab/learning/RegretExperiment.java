package io.gpusched.lab.learning;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.policy.score.ExpectedRuntime;
import io.gpusched.core.policy.score.InformationGain;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Measures the cost of exploration: ten kinds of jobs and four GPU models with free GPUs of each,
/// whose speeds are unknown at first. The regret of a choice is the expected runtime on the chosen
/// model divided by that on the best model, minus one; it is summed over the jobs.
final class RegretExperiment implements LearningRun.Watcher {
    static final int JOBS = 5_000;
    private static final int KINDS = 10;
    private static final List<String> MODELS = List.of("K80", "V100", "A100", "H100");
    private static final double NOISE = 0.3;
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final double[][] seconds = new double[KINDS][MODELS.size()];
    private final double[] best = new double[KINDS];
    private final double[] luck;
    private final int[] kinds;
    private final int[] chosen;
    private final double[] total;
    private final Chooser chooser;
    private final WeightedScorer[] learned;
    private int started;
    private @Nullable Engine engine;

    private RegretExperiment(Strategy strategy, long seed, int jobs) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        drawSpeeds(random);
        luck = new double[jobs];
        kinds = new int[jobs];
        chosen = new int[jobs];
        total = new double[jobs];
        for (int job = 0; job < jobs; job++) {
            kinds[job] = random.nextInt(KINDS);
            luck[job] = Math.exp(NOISE * random.nextGaussian() - NOISE * NOISE / 2);
        }
        chooser = new Chooser(strategy, KINDS, MODELS, seed);
        learned =
                switch (strategy) {
                    case LEARNED ->
                            new WeightedScorer[] {
                                new WeightedScorer(new ExpectedRuntime(), 1),
                                new WeightedScorer(new InformationGain(InformationGain.CAP), 1)
                            };
                    case UNCAPPED ->
                            new WeightedScorer[] {
                                new WeightedScorer(new ExpectedRuntime(), 1),
                                new WeightedScorer(
                                        new InformationGain(new InformationGain.Cap(1, 100)), 1)
                            };
                    case KNOWN_ONLY ->
                            new WeightedScorer[] {new WeightedScorer(new ExpectedRuntime(), 1)};
                    case GREEDY, EPSILON, UCB1 ->
                            new WeightedScorer[] {new WeightedScorer(chooser, 1)};
                };
    }

    /// How GPU models are chosen.
    enum Strategy {
        LEARNED("the model: `expected-runtime` and `information-gain`, one job in ten may explore"),
        UNCAPPED("the same, every job may explore"),
        KNOWN_ONLY("the same without `information-gain`"),
        GREEDY("always greedy"),
        EPSILON("ε-greedy, ε = 0.1"),
        UCB1("UCB1");

        final String words;

        Strategy(String words) {
            this.words = words;
        }
    }

    /// GPU models differ by factors, mostly the same for all kinds; each kind also has its own
    /// preferences.
    private void drawSpeeds(RandomGenerator random) {
        for (int kind = 0; kind < KINDS; kind++) {
            double base = 3600 * Math.exp(2 * random.nextDouble());
            best[kind] = Double.POSITIVE_INFINITY;
            for (int model = 0; model < MODELS.size(); model++) {
                double liking = Math.exp(0.4 * random.nextGaussian());
                seconds[kind][model] = base * liking / (1 + 0.5 * model);
                best[kind] = Math.min(best[kind], seconds[kind][model]);
            }
        }
    }

    static RegretExperiment run(Strategy strategy, long seed, int jobs) {
        var regretExperiment = new RegretExperiment(strategy, seed, jobs);
        EngineSettings settings =
                EngineSettings.DEFAULT.with(new PredictionSettings(true, false, 0.8));
        var nodes = new ArrayList<Node>();
        for (String model : MODELS) {
            nodes.add(PhillyJobs.node(model.toLowerCase(Locale.ROOT), model, 64));
        }
        var run =
                new LearningRun(
                        new Engine(regretExperiment.policy(settings), settings),
                        nodes,
                        regretExperiment::seconds,
                        regretExperiment);
        regretExperiment.engine = run.engine();
        run.run(regretExperiment.jobs());
        return regretExperiment;
    }

    private Policy policy(EngineSettings settings) {
        Policy plain = Objects.requireNonNull(Policies.named("fifo", settings.policy()));
        return plain.toBuilder().scorers(List.of(learned)).breadth(Policy.EVERY_NODE).build();
    }

    /// About ten jobs run at any time, so observations arrive with some delay.
    private List<ArrivingJob> jobs() {
        var jobs = new ArrayList<ArrivingJob>();
        for (int job = 0; job < kinds.length; job++) {
            jobs.add(new ArrivingJob(START.plusSeconds(900L * job), spec(kinds[job]), luck[job]));
        }
        return jobs;
    }

    private static JobSpec spec(int kind) {
        Shape one = Shape.of(GpuRequest.whole(1, 0), Resources.NONE);
        return JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(one, 1)))
                .name("job")
                .kind("kind-" + kind)
                .build();
    }

    private double seconds(ArrivingJob job, Run run, Engine engine) {
        int number = started - 1;
        return seconds[kinds[number]][chosen[number]] * job.seconds();
    }

    @Override
    public void starts(int job, Run run, Instant now) {
        String gpu = JobProfiles.gpu(run.on(), Objects.requireNonNull(engine).state());
        chosen[job] = MODELS.indexOf(gpu);
        double before = job == 0 ? 0 : total[job - 1];
        total[job] = before + seconds[kinds[job]][chosen[job]] / best[kinds[job]] - 1;
        started = job + 1;
    }

    @Override
    public void ends(int job, Instant now) {
        chooser.ended(kinds[job], chosen[job], seconds[kinds[job]][chosen[job]] * luck[job]);
    }

    /// The regret of all jobs up to this one, the first being 0.
    double upTo(int job) {
        return total[job];
    }
}
