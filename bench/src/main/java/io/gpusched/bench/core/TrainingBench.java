package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Lookahead;
import io.gpusched.rl.ppo.Architecture;
import io.gpusched.rl.ppo.EnvironmentAdapter;
import io.gpusched.rl.ppo.ModelShape;
import io.gpusched.rl.ppo.Preset;
import io.gpusched.rl.ppo.RunFiles;
import io.gpusched.rl.ppo.TrainingPlan;
import io.gpusched.rl.ppo.TrainingRun;
import io.gpusched.rl.ppo.WorkerThreads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The speed of training the largest policy.
public final class TrainingBench implements Bench {
    @Override
    public String name() {
        return "training";
    }

    @Override
    public String title() {
        return "training of the attention policy";
    }

    @Override
    public String page() {
        return "lab";
    }

    @Override
    public String how() {
        return """
        PPO with the preset `baseline_stable` trains the cross-attention policy with the look-ahead
        `cdf` for 200,000 steps on all processors, as `bin/lab train` does: 98 updates, the evaluation
        after every tenth, and the last evaluations are in it, and so is the start of the virtual
        machine's compiler. The Python original took 618 s for it on two cores.\
        """;
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) {
        long steps = thoroughness.pick(200_000, 2_048);
        int episodes = thoroughness.pick(20, 1);
        var environment =
                new EnvironmentSettings(
                        EnvironmentSettings.USUAL.workload(), 50, 2000, 1.3, Lookahead.CDF);
        var plan =
                new TrainingPlan(
                        Preset.BASELINE_STABLE.toString(),
                        Preset.BASELINE_STABLE.settings(),
                        ModelShape.of(Architecture.ATTN, "cdf", 50, 8),
                        name(),
                        steps,
                        1,
                        10,
                        3,
                        episodes,
                        3 * episodes,
                        true,
                        10_000_000);
        double seconds = train(plan, environment);
        return List.of(
                Figure.of("time for all steps", seconds, "s", Target.atMost(120)),
                Figure.beside("steps", (double) steps, ""),
                Figure.beside("steps per second", steps / seconds, "steps/s"));
    }

    private static double train(TrainingPlan plan, EnvironmentSettings environment) {
        try (var threads = WorkerThreads.all()) {
            Path folder = Files.createTempDirectory("training-bench");
            long began = System.nanoTime();
            TrainingRun.begin(
                            plan,
                            RunFiles.in(folder, "bench"),
                            () ->
                                    new EnvironmentAdapter(
                                            new Environment(environment), Baseline.INDEX),
                            threads,
                            line -> {})
                    .finish();
            double seconds = (System.nanoTime() - began) / 1e9;
            delete(folder);
            return seconds;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
    }
}
