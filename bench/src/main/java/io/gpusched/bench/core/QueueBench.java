package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.List;

/// The line of waiting jobs, alone and with the table of jobs.
public final class QueueBench implements Bench {
    private static final String HEAP = "-Xmx3g";
    private static final String COLLECTOR = "-XX:+UseSerialGC";

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public String title() {
        return "one enqueue and one dequeue on a long queue";
    }

    @Override
    public String how() {
        return """
        JMH, one thread, serial collector. A pair enqueues a new job, then dequeues the job that is
        next; the queue keeps its length. Jobs come from %s tenants with %s priorities and
        %s sizes, %s classes of equals in all, age by 10 points a minute, and are all distinct;
        making them is not measured. The queue alone hands out the number of the job that is next;
        with the job table, each pair also records the new job, finds the one that leaves, and
        records that it starts. The Go original reached 0.14 to 0.31 million pairs per second with
        its queue alone.\
        """
                .formatted(
                        BalancedQueue.TENANTS,
                        BalancedQueue.PRIORITIES,
                        BalancedQueue.GPUS.length,
                        BalancedQueue.TENANTS
                                * BalancedQueue.PRIORITIES
                                * BalancedQueue.GPUS.length);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(QueuePairs.class, thoroughness, HEAP, COLLECTOR)) {
            var target = Target.atLeast(isMillion(run) ? 1_250_000 : 3_000_000);
            figures.add(figure("the queue alone", run, target));
        }
        for (RunResult run : Jmh.run(TablePairs.class, thoroughness, HEAP, COLLECTOR)) {
            figures.add(figure("the queue with the job table", run, Target.none()));
        }
        return figures;
    }

    private static Figure figure(String what, RunResult run, Target target) {
        String length = isMillion(run) ? "1,000,000" : "100,000";
        return Figure.of(
                        "%s: pairs at %s waiting jobs".formatted(what, length),
                        run.getPrimaryResult().getScore(),
                        "pairs/s",
                        target)
                .withNote(Jmh.spread(run));
    }

    private static boolean isMillion(RunResult run) {
        return run.getParams().getParam("waiting").equals("1000000");
    }
}
