package io.gpusched.core.forecast;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.state.StateImage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Supplier;

/// Estimates when waiting jobs will start: simulates a copy of the engine from the present on,
/// several times.
///
///     now ──▶ running jobs end after a drawn time ──▶ waiting jobs start as the policy says ──▶ …
///
/// No new job is submitted in a simulated run, so the forecast does not see later jobs that
/// overtake. Everything else follows the same rules as in production, because it is the same
/// engine: quotas, gangs, reservations, preemption. The same image, time and seed give the same
/// forecast.
public final class StartForecast {
    private final Supplier<Policy> policy;
    private final EngineSettings settings;
    private final RuntimeSource runtimeSource;
    private final int runs;
    private final long mostSteps;

    /// @param policy makes a policy for each simulated run, because rules cache results
    /// @param runs the number of simulated runs
    /// @param mostSteps the most starts and ends of one simulated run; later starts get no estimate
    public StartForecast(
            Supplier<Policy> policy,
            EngineSettings settings,
            RuntimeSource runtimeSource,
            int runs,
            long mostSteps) {
        this.policy = policy;
        this.settings = settings;
        this.runtimeSource = runtimeSource;
        this.runs = runs;
        this.mostSteps = mostSteps;
    }

    /// When each waiting job is expected to start.
    ///
    /// @param model the learned runtimes for policies that use them; simulated runs do not change
    ///        it, because their runtimes are drawn from it
    public SequencedMap<JobId, StartEstimate> from(
            StateImage image, RuntimeModel model, Instant now, long seed) {
        var starts = new LinkedHashMap<JobId, List<Instant>>();
        StateImage present = image.withoutEnded();
        for (int run = 0; run < runs; run++) {
            Engine engine = Engine.restore(present, Learner.knowing(model), policy.get(), settings);
            if (run == 0) {
                waiting(engine, starts);
            }
            new ForecastRun(
                            engine,
                            now,
                            runtimeSource,
                            seed * runs + run,
                            mostSteps,
                            starts.sequencedKeySet(),
                            (job, at) -> Objects.requireNonNull(starts.get(job)).add(at))
                    .run();
        }
        return summed(starts);
    }

    private static void waiting(Engine engine, SequencedMap<JobId, List<Instant>> into) {
        engine.state().jobs().forEachWaiting(job -> into.put(job.id(), new ArrayList<>()));
    }

    private SequencedMap<JobId, StartEstimate> summed(SequencedMap<JobId, List<Instant>> starts) {
        var summed = new LinkedHashMap<JobId, StartEstimate>();
        starts.forEach(
                (job, all) -> {
                    Instant[] sorted = all.toArray(new Instant[0]);
                    Arrays.sort(sorted);
                    summed.put(job, StartEstimate.of(sorted, runs));
                });
        return summed;
    }
}
