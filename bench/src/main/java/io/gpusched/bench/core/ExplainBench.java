package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.List;

/// "Unschedulable, because …" on a large cluster.
public final class ExplainBench implements Bench {
    private static final String[] JVM = {"-Xmx4g"};

    @Override
    public String name() {
        return "explain";
    }

    @Override
    public String title() {
        return "why a job waits, on a large cluster";
    }

    @Override
    public String how() {
        return """
        JMH, one thread, the JVM's default collector. %,d nodes with 8 GPUs each run a job of seven
        GPUs each; a job that fits nowhere is asked about: one task of eight GPUs, a gang of such
        tasks, one task bound to a label that no node has. The reasons are every reason with the
        number of nodes it holds for; all of it is the reasons, who has what the job needs, and the
        smallest changes that would let it start, each tried out. Nodes are counted, not timed.\
        """
                .formatted(Explanations.NODES);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(Explanations.class, thoroughness, JVM)) {
            String kind = run.getParams().getParam("kind");
            boolean reasons = run.getParams().getBenchmark().endsWith("why");
            var times = run.getPrimaryResult().getStatistics();
            String what = (reasons ? "reasons, " : "all of it, ") + kind;
            figures.add(
                    Figure.of(
                                    what + ", median",
                                    times.getPercentile(50) / 1000,
                                    "ms",
                                    reasons ? Target.atMost(5) : Target.none())
                            .withNote(times.getN() + " answers sampled"));
            figures.add(
                    Figure.beside(
                            what + ", 99th percentile", times.getPercentile(99) / 1000, "ms"));
        }
        var explanations = new Explanations();
        explanations.fill();
        figures.add(
                Figure.beside(
                        "nodes looked at per answer",
                        (double) explanations.nodesLookedAt(),
                        "nodes"));
        return figures;
    }
}
