package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.core.engine.CycleResult;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;

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
        is that of a whole call with a single submission. Work is counted, not timed.

        Then clusters of 1,000 and of 10,000 nodes are filled in the same way, whose nodes differ in
        cached models, prices and data stores, once by best fit and once by the five-term score of
        at most 50 nodes a task.\
        """
                .formatted(Placements.NODES, Placements.PER_CALL);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(Placements.class, thoroughness, JVM)) {
            figures.add(
                    Figure.of(
                                    "placements",
                                    run.getPrimaryResult().getScore(),
                                    "jobs/s",
                                    Target.atLeast(50_000))
                            .withNote(Jmh.spread(run)));
        }
        for (RunResult run : Jmh.run(Decisions.class, thoroughness, JVM)) {
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
        figures.addAll(scored(thoroughness));
        return figures;
    }

    private static List<Figure> scored(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        var small = new HashMap<String, Double>();
        for (RunResult run : Jmh.run(ScoredPlacements.class, thoroughness, JVM)) {
            String placement = run.getParams().getParam("placement");
            int nodes = Integer.parseInt(run.getParams().getParam("nodes"));
            double rate = run.getPrimaryResult().getScore() * nodes * Testbed.GPUS_PER_NODE;
            String what = String.format(Locale.ROOT, "%s on %,d nodes", placement, nodes);
            if (nodes < 10_000) {
                small.put(placement, rate);
                figures.add(Figure.beside("placements, " + what, rate, "jobs/s"));
            } else {
                int least = placement.equals("best-fit") ? 100_000 : 20_000;
                figures.add(
                        Figure.of("placements, " + what, rate, "jobs/s", Target.atLeast(least)));
                figures.add(
                        Figure.of(
                                "cost of a placement, " + what + " to 1,000",
                                small.getOrDefault(placement, 0.0) / rate,
                                "x",
                                Target.atMost(2)));
            }
            figures.addAll(work(placement, nodes, what));
        }
        return figures;
    }

    private static List<Figure> work(String placement, int nodes, String what) {
        var scored = new ScoredPlacements();
        scored.placement = placement;
        scored.nodes = nodes;
        scored.prepare();
        scored.fill();
        CycleResult.Work work = scored.testbed().work();
        return List.of(
                Figure.beside(
                        "nodes looked at per placement, " + what,
                        (double) work.nodesLookedAt() / scored.jobs(),
                        "nodes"),
                Figure.beside(
                        "candidates scored per placement, " + what,
                        (double) work.candidatesScored() / scored.jobs(),
                        "nodes"));
    }

    private static List<Figure> work() {
        var placements = new Placements();
        placements.prepare();
        placements.fill();
        CycleResult.Work work = placements.testbed().work();
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
