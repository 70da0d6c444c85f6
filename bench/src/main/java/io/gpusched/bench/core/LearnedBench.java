package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.core.policy.Ranking;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How long a model takes to decide which job goes next.
public final class LearnedBench implements Bench {
    @Override
    public String name() {
        return "learned";
    }

    @Override
    public String title() {
        return "one decision of a learned queue order";
    }

    @Override
    public String page() {
        return "lab";
    }

    @Override
    public String how() {
        return """
        JMH, one thread. %,d nodes of 8 GPUs are full, and %,d jobs wait, each with a time limit of
        its own, so that each is a class. A ranking finds the first %s heads, encodes them and scores
        them with a network of two hidden layers of %s. Then runs end one by one, and the cell starts
        what the model prefers: that time has everything in it, from the report to the recorded
        batch, including the turns of jobs that still do not fit. The median is taken.\
        """
                .formatted(Rankings.NODES, Rankings.WAITING, Ranking.HEADS, Rankings.HIDDEN);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(Rankings.class, thoroughness)) {
            figures.add(
                    Figure.of(
                                    "one ranking of " + Ranking.HEADS + " heads",
                                    run.getPrimaryResult().getScore() / 1000,
                                    "µs",
                                    Target.atMost(200))
                            .withNote(Jmh.spread(run) + ", in ns"));
        }
        figures.addAll(ends(thoroughness));
        return figures;
    }

    private static List<Figure> ends(Thoroughness thoroughness) {
        var rankings = new Rankings();
        rankings.prepare(
                thoroughness.pick(Rankings.NODES, 10), thoroughness.pick(Rankings.WAITING, 100));
        int count = thoroughness.pick(2_000, 20);
        var times = new long[count];
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            rankings.endOne();
            times[i] = System.nanoTime() - begin;
        }
        Arrays.sort(times);
        return List.of(
                Figure.beside("from the end of a run to what starts", times[count / 2] / 1e6, "ms"),
                Figure.beside("rankings for each end", per(rankings.work().rankings(), count), ""),
                Figure.beside("turns for each end", per(rankings.work().turns(), count), ""),
                Figure.beside(
                        "nodes looked at for each end",
                        per(rankings.work().nodesLookedAt(), count),
                        ""));
    }

    private static double per(long work, int count) {
        return (double) work / count;
    }
}
