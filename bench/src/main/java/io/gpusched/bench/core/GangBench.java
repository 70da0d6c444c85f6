package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.core.engine.CycleResult;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.List;

/// Large gangs: placed in one rack, and placed by preemption.
public final class GangBench implements Bench {
    private static final String[] JVM = {"-Xmx4g"};

    @Override
    public String name() {
        return "gangs";
    }

    @Override
    public String title() {
        return "large gangs, and preemption for them";
    }

    @Override
    public String how() {
        return """
        JMH, one thread, the JVM's default collector. Racks of %s nodes with 8 GPUs each. A decision
        is one cycle of the engine with one waiting gang. Near a rack: %,d nodes, one GPU in eight
        free, the others with five shares each; a gang of %s tasks of one GPU that would rather be
        in one rack. Reclaim: %,d nodes full of jobs of one GPU in ten priorities, all of which may
        be preempted; a gang for %,d GPUs, in tasks of one GPU and in tasks of eight.\
        """
                .formatted(
                        RackFleet.NODES_PER_RACK,
                        Gangs.NODES,
                        Gangs.TASKS,
                        Reclaims.NODES,
                        Reclaims.GPUS);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(Gangs.class, thoroughness, JVM)) {
            figures.addAll(times("gang near a rack", run, 20));
        }
        figures.addAll(work("gang near a rack", nearRack()));
        for (RunResult run : Jmh.run(Reclaims.class, thoroughness, JVM)) {
            String each = run.getParams().getParam("gpusPerTask");
            figures.addAll(times("reclaim plan, " + each + " per task", run, 100));
        }
        figures.addAll(work("reclaim plan, 8 per task", reclaim()));
        return figures;
    }

    private static List<Figure> times(String what, RunResult run, double target) {
        var times = run.getPrimaryResult().getStatistics();
        String sampled = times.getN() + " decisions sampled";
        return List.of(
                Figure.of(
                                what + ", median",
                                times.getPercentile(50) / 1000,
                                "ms",
                                Target.atMost(target))
                        .withNote(sampled),
                Figure.beside(what + ", 99th percentile", times.getPercentile(99) / 1000, "ms"));
    }

    private static CycleResult.Work nearRack() {
        var gangs = new Gangs();
        gangs.prepare();
        gangs.submit();
        return gangs.decided().work();
    }

    private static CycleResult.Work reclaim() {
        var reclaims = new Reclaims();
        reclaims.gpusPerTask = 8;
        reclaims.prepare();
        reclaims.submit();
        return reclaims.decided().work();
    }

    private static List<Figure> work(String what, CycleResult.Work work) {
        return List.of(
                Figure.beside(what + ", nodes visited", (double) work.nodesLookedAt(), "nodes"),
                Figure.beside(
                        what + ", candidates scored", (double) work.candidatesScored(), "nodes"));
    }
}
