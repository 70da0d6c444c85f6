package io.gpusched.core.policy.learned;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.state.RunIndex;

import java.time.Instant;

/// What the runs that end next are expected to release, and when. Only the first [#MOST] ends
/// count, so the cost does not grow with the cluster.
final class ExpectedReleases {
    static final int MOST = 64;

    private final double[] seconds = new double[MOST];
    private final long[] milliGpus = new long[MOST];
    private final long[] milliCpu = new long[MOST];
    private int size;

    void read(RunIndex runs, Instant now) {
        size = 0;
        long gpus = 0;
        long cpu = 0;
        long from = Instants.micros(now);
        for (Job job : runs.byExpectedEnd()) {
            if (size == MOST || runs.isEndless(job)) {
                return;
            }
            gpus += job.spec().milliGpus();
            cpu += job.spec().host().milliCpu();
            milliGpus[size] = gpus;
            milliCpu[size] = cpu;
            seconds[size] = Math.max(0, (Instants.micros(runs.expectedEnd(job)) - from) / 1e6);
            size++;
        }
    }

    /// Seconds until this much more will be free; `never` if the ends that count are not enough.
    double secondsUntil(long gpus, long cpu, double never) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (milliGpus[middle] >= gpus && milliCpu[middle] >= cpu) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == size ? never : seconds[low];
    }

    /// Seconds until this fraction of the runs that count has ended; `never` if nothing runs.
    double quantile(double part, double never) {
        return size == 0 ? never : seconds[(int) (part * (size - 1))];
    }
}
