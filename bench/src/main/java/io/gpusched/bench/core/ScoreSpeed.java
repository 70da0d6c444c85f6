package io.gpusched.bench.core;

import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.List;

/// How long one score takes in process.
public final class ScoreSpeed {
    private ScoreSpeed() {}

    public static List<Figure> measure(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(ScoredCandidates.class, thoroughness)) {
            figures.add(
                    Figure.of(
                                    "one choice among " + ScoredCandidates.CANDIDATES,
                                    run.getPrimaryResult().getScore() / 1000,
                                    "µs",
                                    Target.atMost(5))
                            .withNote(Jmh.spread(run) + ", in ns"));
        }
        return figures;
    }
}
