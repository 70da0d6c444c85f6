package io.gpusched.lab.order;

import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.learn.runtime.RuntimeEstimate;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.sim.trace.TraceJob;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/// Stretches of consecutive jobs of the virtual clusters of a GPU trace, each on as many nodes as
/// its work keeps busy, so that jobs must wait.
///
/// Every job has a runtime expectation from the jobs of its virtual cluster that had ended by its
/// submission, as if each had started when it was submitted. It comes from the model that the
/// scheduler itself predicts with. Nothing else is known of a runtime: the jobs have no limits.
public final class ClusterSlices {
    /// The fraction of runs that end within the planned time, as in the scheduler.
    private static final double PLANNED = 0.95;

    private static final int GPUS = 8;

    /// Jobs of one virtual cluster.
    ///
    /// @param nodes of 8 GPUs
    public record Slice(String cluster, List<TraceJob> jobs, int nodes) {
        public Slice {
            jobs = List.copyOf(jobs);
        }
    }

    private final List<Slice> early = new ArrayList<>();
    private final List<Slice> late = new ArrayList<>();
    private final IdentityHashMap<TraceJob, RuntimeExpectation> expectations =
            new IdentityHashMap<>();

    /// @param jobs in the order of their submission
    /// @param split jobs from this time on are held back
    /// @param length jobs in a slice
    public ClusterSlices(List<TraceJob> jobs, Instant split, int length) {
        var clusters = new TreeMap<String, List<TraceJob>>();
        for (TraceJob job : jobs) {
            clusters.computeIfAbsent(job.tenant(), name -> new ArrayList<>()).add(job);
        }
        clusters.forEach(
                (name, all) -> {
                    predict(all);
                    int first = 0;
                    while (first < all.size() && all.get(first).submitted().isBefore(split)) {
                        first++;
                    }
                    slice(name, all.subList(0, first), length, early);
                    slice(name, all.subList(first, all.size()), length, late);
                });
    }

    private static void slice(String name, List<TraceJob> jobs, int length, List<Slice> into) {
        for (int from = 0; from + length <= jobs.size(); from += length) {
            List<TraceJob> slice = jobs.subList(from, from + length);
            into.add(new Slice(name, slice, nodes(slice)));
        }
    }

    /// As many nodes as the work would keep busy from the first to the last submission, where a job
    /// counts for at most this time; at least as many as the largest job needs.
    private static int nodes(List<TraceJob> jobs) {
        Duration span = Duration.between(jobs.getFirst().submitted(), jobs.getLast().submitted());
        double seconds = Math.max(1.0, (double) span.toSeconds());
        double work = 0;
        int largest = 1;
        for (TraceJob job : jobs) {
            work += job.ask().gpus() * Math.min(seconds, job.runtime().toMillis() / 1e3);
            largest = Math.max(largest, job.ask().gpus());
        }
        return Math.max(Math.ceilDiv(largest, GPUS), (int) Math.round(work / (seconds * GPUS)));
    }

    private record Ending(Instant at, TraceJob job) {}

    private void predict(List<TraceJob> jobs) {
        var model = new RuntimeModel();
        var endings = new PriorityQueue<>(Comparator.comparing(Ending::at));
        for (TraceJob job : jobs) {
            while (!endings.isEmpty() && !endings.peek().at.isAfter(job.submitted())) {
                Ending ending = endings.remove();
                double seconds = ending.job.runtime().toMillis() / 1e3;
                model.observed(profile(ending.job), List.of(), seconds, ending.at);
            }
            if (model.usualGpu(profile(job).kind()) != null) {
                RuntimeEstimate estimate = model.estimate(profile(job), job.submitted());
                expectations.put(
                        job,
                        RuntimeExpectation.seconds(estimate.median(), estimate.quantile(PLANNED)));
            }
            endings.add(new Ending(job.submitted().plus(job.runtime()), job));
        }
    }

    private static Profile profile(TraceJob job) {
        int gpus = job.ask().gpus();
        return new Profile(
                job.tenant() + "/" + Integer.highestOneBit(2 * gpus - 1),
                "any",
                new Features(gpus, 0, 0, 0));
    }

    /// What the scheduler expects of the job when it is submitted.
    public RuntimeExpectation expectation(TraceJob job) {
        return expectations.getOrDefault(job, RuntimeExpectation.NOTHING);
    }

    /// Slices to train on, by virtual cluster.
    public List<Slice> early() {
        return early;
    }

    /// Slices that are held back.
    public List<Slice> late() {
        return late;
    }
}
