package io.gpusched.lab.runtimes;

import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.model.Features;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.PhillyReader;
import io.gpusched.sim.trace.Trace;
import io.gpusched.sim.trace.TraceJob;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A job of the trace: its submission, runtime, GPUs and virtual cluster.
///
/// @param submitted seconds since the epoch
public record PastJob(long submitted, double seconds, int gpus, String cluster) {
    private static final String NAME = "philly_jobs.csv";

    /// The kind of the job: virtual cluster and number of GPUs, because the trace has nothing else.
    public String group() {
        return cluster + "/" + bucket();
    }

    private int bucket() {
        int bucket = 1;
        while (bucket < gpus) {
            bucket *= 2;
        }
        return bucket;
    }

    /// The job as the model sees it. The trace does not name the GPU model.
    public Profile profile() {
        return new Profile(group(), "any", new Features(gpus, 0, 0, 0));
    }

    /// The time at which the runtime becomes known, as if the job had started at its submission.
    double ended() {
        return submitted + seconds;
    }

    /// The jobs in the directory's `philly_jobs.csv`, compressed or not, in the order of
    /// submission.
    ///
    /// @param remarks receives warnings about rows that could not be used
    public static List<PastJob> read(Path folder, Consumer<String> remarks) {
        if (!Files.isDirectory(folder)) {
            throw new BadTrace(
                    "there is no directory %s; --data names the one that holds %s"
                            .formatted(folder, NAME));
        }
        Path plain = folder.resolve(NAME);
        Path packed = folder.resolve(NAME + ".gz");
        if (!Files.exists(plain) && !Files.exists(packed)) {
            throw new BadTrace(
                    "%s has neither %s nor %s.gz; --data names the directory that holds it"
                            .formatted(folder, NAME, NAME));
        }
        var jobs = new ArrayList<PastJob>();
        Trace trace = PhillyReader.read(Files.exists(plain) ? plain : packed);
        trace.remarks().forEach(remarks);
        for (TraceJob job : trace.jobs()) {
            jobs.add(
                    new PastJob(
                            job.submitted().getEpochSecond(),
                            job.runtime().toMillis() / 1000.0,
                            job.ask().gpus(),
                            job.tenant()));
        }
        return List.copyOf(jobs);
    }
}
