package io.gpusched.sim.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/// Finish-time fairness as Themis (NSDI 2020) defines it: how long a job took in the shared cluster
/// compared with how long it would have taken had its tenant been alone on an equal part of it.
///
///     ρ = completion here / completion alone       ρ ≤ 1: sharing did the job no harm
///
/// Themis estimates the time alone; here it is worked out: the tenant's jobs run on a private
/// cluster of `GPUs / tenants`, in order of submission, each as long as it really ran. A job larger
/// than that runs on all of it and takes longer by the same factor.
final class FairFinish {
    /// One job of a tenant.
    ///
    /// @param submitted seconds
    /// @param runs seconds
    /// @param completion seconds from submission to the end, here
    record Finished(double submitted, double runs, long milliGpus, double completion) {}

    private record End(double at, long milli) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return Double.compare(at, other.at);
        }
    }

    private FairFinish() {}

    /// One ρ for each job, in the order of submission.
    ///
    /// @param jobs of one tenant, in the order of submission
    /// @param milli the size of its private cluster
    static List<Double> rhos(List<Finished> jobs, long milli) {
        var rhos = new ArrayList<Double>(jobs.size());
        var ends = new PriorityQueue<End>();
        long free = milli;
        double now = 0;
        for (Finished job : jobs) {
            now = Math.max(now, job.submitted);
            long takes = Math.min(job.milliGpus, milli);
            while (!ends.isEmpty() && (ends.peek().at <= now || free < takes)) {
                End end = ends.remove();
                now = Math.max(now, end.at);
                free += end.milli;
            }
            double lasts = takes == 0 ? job.runs : job.runs * job.milliGpus / takes;
            free -= takes;
            ends.add(new End(now + lasts, takes));
            double alone = now + lasts - job.submitted;
            rhos.add(alone <= 0 ? 1 : job.completion / alone);
        }
        return rhos;
    }
}
