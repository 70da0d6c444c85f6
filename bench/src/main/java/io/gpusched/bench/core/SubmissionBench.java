package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

import java.util.ArrayList;
import java.util.List;

/// Submissions in process.
public final class SubmissionBench implements Bench {
    @Override
    public String name() {
        return "submissions";
    }

    @Override
    public String title() {
        return "submissions accepted in process";
    }

    @Override
    public String how() {
        return """
        JMH, one thread, the JVM's default collector. Every call of `Cell.handle` brings %s
        submissions to a full cluster: they are checked, recorded, tried, and put into the journal
        in memory. %,d jobs of %s tenants with %s priorities and %s sizes come to wait, then all
        begins anew; making the requests is not measured.\
        """
                .formatted(
                        Submissions.PER_CALL,
                        Submissions.JOBS,
                        Submissions.TENANTS,
                        Submissions.PRIORITIES,
                        Submissions.GPUS.length);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws RunnerException {
        var figures = new ArrayList<Figure>();
        for (RunResult run : Jmh.run(Submissions.class, thoroughness, "-Xmx4g")) {
            figures.add(
                    Figure.of(
                                    "submissions accepted",
                                    run.getPrimaryResult().getScore(),
                                    "jobs/s",
                                    Target.atLeast(500_000))
                            .withNote(Jmh.spread(run)));
        }
        return figures;
    }
}
