package io.gpusched.lab.learning;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.forecast.ForecastCalibration;
import io.gpusched.core.forecast.ModelRuntimes;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.forecast.StartForecast;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Run;
import io.gpusched.core.policy.Policy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/// Measures the accuracy of start forecasts. At every n-th submission that must wait, the engine
/// forecasts the queue. The predicted ranges of that job and a few others are compared with their
/// true starts.
final class StartForecastExperiment implements LearningRun.Watcher {
    private static final int RUNS = 20;

    /// The number of waiting jobs, evenly spread over the queue, whose forecasts are recorded.
    private static final int OTHERS = 10;

    private static final long MOST_STEPS = 200_000;

    /// Predicted ranges and their outcomes.
    static final class Count {
        private int stated;
        private int inside;
        private int later;
        private double widths;

        private void add(StartEstimate said, Instant at, Instant came) {
            Instant early = Objects.requireNonNull(said.early());
            Instant late = Objects.requireNonNull(said.late());
            stated++;
            later += came.isAfter(late) ? 1 : 0;
            inside += !came.isBefore(early) && !came.isAfter(late) ? 1 : 0;
            widths += Math.log(minutes(at, late) / minutes(at, early));
        }

        private static double minutes(Instant from, Instant to) {
            return 1 + Duration.between(from, to).toMillis() / 60e3;
        }

        int stated() {
            return stated;
        }

        /// The part of the starts that lay in the range for 80 %.
        double coverage() {
            return (double) inside / Math.max(1, stated);
        }

        /// The part that came later than the range.
        double late() {
            return (double) later / Math.max(1, stated);
        }

        /// The typical ratio of the latest to the earliest predicted wait.
        double width() {
            return Math.exp(widths / Math.max(1, stated));
        }
    }

    private record OpenEstimate(Instant at, StartEstimate foreseen, StartEstimate corrected) {}

    private final PredictionSettings predictionSettings;
    private final int every;
    private final IntConsumer progress;
    private final Map<Integer, List<OpenEstimate>> open = new LinkedHashMap<>();
    private final ForecastCalibration forecastCalibration = new ForecastCalibration();
    private final Count plain = new Count();
    private final Count amended = new Count();
    private @Nullable Engine engine;
    private int waited;
    private int unforeseen;
    private int outlooks;

    private StartForecastExperiment(
            PredictionSettings predictionSettings, int every, IntConsumer progress) {
        this.predictionSettings = predictionSettings;
        this.every = every;
        this.progress = progress;
    }

    /// @param every a forecast is made at each such number of submissions that must wait
    /// @param progress receives the number of forecasts so far
    static StartForecastExperiment run(
            PhillyJobs trace,
            PredictionSettings predictionSettings,
            int every,
            IntConsumer progress) {
        var startForecastExperiment =
                new StartForecastExperiment(predictionSettings, every, progress);
        EngineSettings settings = EngineSettings.DEFAULT.with(predictionSettings);
        List<ArrivingJob> jobs = trace.coming(0);
        var run =
                new LearningRun(
                        new Engine(policy(), settings),
                        trace.cluster(),
                        (job, told, engine) -> job.seconds(),
                        startForecastExperiment);
        startForecastExperiment.engine = run.engine();
        run.run(jobs);
        return startForecastExperiment;
    }

    private static Policy policy() {
        return Objects.requireNonNull(Policies.named("fifo", EngineSettings.DEFAULT.policy()));
    }

    @Override
    public void waits(int job, JobId id, Instant now) {
        if (waited++ % every != 0) {
            return;
        }
        Engine present = Objects.requireNonNull(engine);
        EngineSettings settings = EngineSettings.DEFAULT.with(PredictionSettings.NONE);
        RuntimeModel model = present.learner().model();
        var runtimes = new ModelRuntimes(model, settings.assumedRuntime(), now);
        var all =
                new StartForecast(
                                StartForecastExperiment::policy,
                                settings,
                                runtimes,
                                RUNS,
                                MOST_STEPS)
                        .from(present.image(), model, now, job);
        var line = List.copyOf(all.keySet());
        promise(job, all.get(id), now);
        for (int i = 1; i < OTHERS; i++) {
            JobId other = line.get(line.size() * i / OTHERS);
            promise((int) other.number() - 1, all.get(other), now);
        }
        progress.accept(++outlooks);
    }

    private void promise(int job, @Nullable StartEstimate foreseen, Instant now) {
        if (foreseen == null || foreseen.early() == null || foreseen.late() == null) {
            unforeseen++;
        } else {
            open.computeIfAbsent(job, each -> new ArrayList<>())
                    .add(
                            new OpenEstimate(
                                    now, foreseen, forecastCalibration.corrected(foreseen, now)));
        }
    }

    @Override
    public void starts(int job, Run run, Instant now) {
        List<OpenEstimate> promises = open.remove(job);
        if (promises == null) {
            return;
        }
        for (OpenEstimate promise : promises) {
            plain.add(promise.foreseen, promise.at, now);
            amended.add(promise.corrected, promise.at, now);
            forecastCalibration.started(promise.foreseen, promise.at, now);
        }
    }

    /// The uncorrected forecasts.
    Count plain() {
        return plain;
    }

    /// The forecasts, calibrated by earlier outcomes.
    Count amended() {
        return amended;
    }

    /// Jobs that had to wait.
    int waited() {
        return waited;
    }

    int outlooks() {
        return outlooks;
    }

    int unforeseen() {
        return unforeseen;
    }

    PredictionSettings predictionSettings() {
        return predictionSettings;
    }
}
