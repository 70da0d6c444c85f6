package io.gpusched.bench.core;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.Exploration;
import io.gpusched.core.learn.GpuType;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.Score;
import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.core.learn.ScoreView;
import io.gpusched.core.learn.ScoreViewMaker;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// One choice among 64 kinds of GPUs, half of them observed with that kind of job, with two
/// neighbours, from a full table of 1,000 pairs.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScoredCandidates {
    public static final int CANDIDATES = 64;
    private static final int KINDS = 31;

    private int asked;
    private final Learner learner = new Learner();
    private final List<GpuType> candidates = new ArrayList<>();
    private final String[] kinds = new String[KINDS];
    private final List<String> neighbours = List.of("n0", "n1");
    private final Exploration half = wants -> (asked++ & 1) == 0 && wants;
    private ScoreView view =
            new ScoreViewMaker(ScoreSettings.DEFAULT.withInterference(0.5)).of(learner.book());

    @Setup
    public void learn() {
        for (int i = 0; i < CANDIDATES; i++) {
            candidates.add(GpuType.read("gpu-" + i + "-80GB"));
        }
        for (int kind = 0; kind < KINDS; kind++) {
            kinds[kind] = "kind-" + kind;
            for (int gpu = 0; gpu < CANDIDATES; gpu += 2) {
                observe("kind-" + kind, candidates.get(gpu).name(), 20 + gpu, List.of());
                observe("kind-" + kind, candidates.get(gpu).name(), 30 + gpu, neighbours);
            }
        }
        view = new ScoreViewMaker(ScoreSettings.DEFAULT.withInterference(0.5)).of(learner.book());
    }

    private void observe(String kind, String gpu, long seconds, List<String> beside) {
        learner.apply(
                new Event.Observed(Instant.EPOCH, kind, gpu, Duration.ofSeconds(seconds), beside));
    }

    @Benchmark
    public Score score() {
        return Objects.requireNonNull(
                view.score(kinds[asked % KINDS], candidates, neighbours, 40, half));
    }
}
