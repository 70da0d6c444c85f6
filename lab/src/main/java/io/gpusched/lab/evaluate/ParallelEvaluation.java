package io.gpusched.lab.evaluate;

import io.gpusched.rl.ActionPolicy;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;
import io.gpusched.rl.ppo.WorkerThreads;

import java.util.Arrays;
import java.util.function.Supplier;

/// Plays the episodes of an evaluation on several threads. An episode follows from its seed and the
/// player alone, so the result is that of one thread.
public final class ParallelEvaluation {
    private static final int PARTS = 8;

    private final EnvironmentSettings settings;
    private final WorkerThreads threads;
    private final Runnable over;

    /// @param over called after each episode, by one thread at a time
    public ParallelEvaluation(EnvironmentSettings settings, WorkerThreads threads, Runnable over) {
        this.settings = settings;
        this.threads = threads;
        this.over = over;
    }

    /// @param players makes the same player for each thread
    public Evaluation.Outcome of(Evaluation evaluation, Supplier<? extends ActionPolicy> players) {
        var all = new Evaluation.Episode[evaluation.count()];
        threads.run(
                Math.min(PARTS, all.length),
                part -> {
                    var environment = new Environment(settings);
                    ActionPolicy player = players.get();
                    for (int i = part; i < all.length; i += PARTS) {
                        all[i] = Evaluation.play(player, environment, evaluation.firstSeed() + i);
                        synchronized (over) {
                            over.run();
                        }
                    }
                });
        return evaluation.outcome(players.get().name(), Arrays.asList(all));
    }
}
