package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// The speed of the reinforcement-learning environment.
public final class EnvironmentBench implements Bench {
    private static final Baseline POLICY = Baseline.INDEX;

    private final Environment environment = new Environment(EnvironmentSettings.USUAL);
    private long seed = Evaluation.SEEDS;

    /// What some episodes took.
    ///
    /// @param seconds of this thread on the processor, and of the garbage collector
    private record Played(long episodes, long steps, long starts, long events, double seconds) {
        double stepsPerSecond() {
            return steps / seconds;
        }
    }

    @Override
    public String name() {
        return "environment";
    }

    @Override
    public String title() {
        return "steps of the reinforcement-learning environment";
    }

    @Override
    public String page() {
        return "lab";
    }

    @Override
    public String how() {
        return """
        One thread plays whole episodes of the standard environment (400 jobs on 8 GPUs, a window of
        50 jobs) by the index rule GPUs⁴/duration, each with another seed. Drawing the jobs, choosing
        the action, the observation, the reward and every call of the scheduler core are in it: each
        job is submitted to a `Cell`, started by `Cell.attempt`, reported as running and reported as
        ended. Time is that of the thread on the processor plus that of the garbage collector. The
        median of several rounds is taken. Core events are counted, not timed.\
        """;
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) {
        int episodes = thoroughness.pick(1000, 3);
        for (int i = 0; i < thoroughness.pick(5, 0); i++) {
            play(episodes);
        }
        var rates = new ArrayList<Double>();
        Played last = play(episodes);
        rates.add(last.stepsPerSecond());
        for (int i = 1; i < thoroughness.pick(11, 1); i++) {
            last = play(episodes);
            rates.add(last.stepsPerSecond());
        }
        Collections.sort(rates);
        double perEpisode = 1.0 / last.episodes();
        return List.of(
                Figure.of(
                                "steps on one core",
                                rates.get(rates.size() / 2),
                                "steps/s",
                                Target.atLeast(500_000))
                        .withNote(
                                String.format(
                                        Locale.ROOT,
                                        "%,.0f to %,.0f in %d rounds",
                                        rates.getFirst(),
                                        rates.getLast(),
                                        rates.size())),
                Figure.beside("steps of an episode", perEpisode * last.steps(), ""),
                Figure.beside("starts of an episode", perEpisode * last.starts(), ""),
                Figure.beside("core events of an episode", perEpisode * last.events(), ""));
    }

    private Played play(int episodes) {
        long steps = 0;
        long starts = 0;
        long events = 0;
        long collecting = collectorMillis();
        long onProcessor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < episodes; i++) {
            Evaluation.Episode episode = Evaluation.play(POLICY, environment, seed++);
            steps += episode.steps();
            starts += episode.steps() - episode.waits() - episode.invalid();
            events += environment.coreEvents();
        }
        onProcessor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - onProcessor;
        double seconds = onProcessor / 1e9 + (collectorMillis() - collecting) / 1e3;
        return new Played(episodes, steps, starts, events, seconds);
    }

    private static long collectorMillis() {
        long millis = 0;
        for (GarbageCollectorMXBean one : ManagementFactory.getGarbageCollectorMXBeans()) {
            millis += one.getCollectionTime();
        }
        return millis;
    }
}
