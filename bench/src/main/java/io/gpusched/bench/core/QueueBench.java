package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Pace;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.List;

/// The line of waiting jobs alone.
public final class QueueBench implements Bench {
    @Override
    public String name() {
        return "queue";
    }

    @Override
    public String title() {
        return "one enqueue and one dequeue on a long line";
    }

    @Override
    public String how() {
        return """
        JMH, one thread, serial collector. A pair records a new job and puts it in line, then takes
        the job that is next out of it and records that it starts; the line keeps its length. Jobs
        come from %s tenants with %s priorities and %s sizes, age by 10 points a minute, and are all
        distinct; making them is not measured. The Go original reached 0.14 to 0.31 million pairs
        per second.\
        """
                .formatted(QueuePairs.TENANTS, QueuePairs.PRIORITIES, QueuePairs.GPUS.length);
    }

    @Override
    public List<Figure> run(Pace pace) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(QueuePairs.class, pace, "-Xmx3g", "-XX:+UseSerialGC")) {
            boolean million = run.getParams().getParam("waiting").equals("1000000");
            figures.add(
                    Figure.of(
                                    "pairs at "
                                            + (million ? "1,000,000" : "100,000")
                                            + " waiting jobs",
                                    run.getPrimaryResult().getScore(),
                                    "pairs/s",
                                    Target.atLeast(million ? 1_250_000 : 3_000_000))
                            .withNote(Jmh.spread(run)));
        }
        return figures;
    }
}
