package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Pace;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.core.engine.Conclusion;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.List;

/// Placement on a large cluster.
public final class PlacementBench implements Bench {
    private static final String[] JVM = {"-Xmx4g"};

    @Override
    public String name() {
        return "placement";
    }

    @Override
    public String title() {
        return "a large cluster from empty to full";
    }

    @Override
    public String how() {
        return """
        JMH, one thread, the JVM's default collector. %,d nodes with 8 GPUs each are filled with
        jobs of one GPU through `Cell.handle`: submission, decision, journal in memory, and the
        nodes' assignments. The rate is taken with %s submissions per call; the time of a decision
        is that of a whole call with a single submission. Work is counted, not timed.\
        """
                .formatted(Placements.NODES, Placements.PER_CALL);
    }

    @Override
    public List<Figure> run(Pace pace) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(Placements.class, pace, JVM)) {
            figures.add(
                    Figure.of(
                                    "placements",
                                    run.getPrimaryResult().getScore(),
                                    "jobs/s",
                                    Target.atLeast(50_000))
                            .withNote(Jmh.spread(run)));
        }
        for (RunResult run : Jmh.run(Decisions.class, pace, JVM)) {
            var times = run.getPrimaryResult().getStatistics();
            figures.add(
                    Figure.of(
                                    "time of one decision, 99th percentile",
                                    times.getPercentile(99) / 1000,
                                    "ms",
                                    Target.atMost(1))
                            .withNote(times.getN() + " decisions sampled"));
            figures.add(
                    Figure.beside(
                            "time of one decision, median", times.getPercentile(50) / 1000, "ms"));
            figures.add(
                    Figure.beside("longest decision", times.getPercentile(100) / 1000, "ms")
                            .withNote("pauses of the collector included"));
        }
        figures.addAll(work());
        return figures;
    }

    private static List<Figure> work() {
        var placements = new Placements();
        placements.prepare();
        placements.fill();
        Conclusion.Work work = placements.testbed().work();
        return List.of(
                Figure.beside(
                        "nodes looked at per placement",
                        (double) work.nodesLookedAt() / Placements.JOBS,
                        "nodes"),
                Figure.beside(
                        "candidates scored per placement",
                        (double) work.candidatesScored() / Placements.JOBS,
                        "nodes"));
    }
}
