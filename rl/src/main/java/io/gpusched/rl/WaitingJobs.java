package io.gpusched.rl;

import io.gpusched.sim.generate.BenchmarkJobs;

import java.util.Arrays;

/// The waiting jobs of an episode in the order of their arrival. The first of them, up to the size
/// of the window, are in the observation.
///
/// A step changes one or two jobs of the queue, so nothing here is computed from the whole queue:
/// the sum of work, the number of jobs in the window by GPUs, and the observation follow each
/// change. Only the waiting times are written anew in each step, because all of them change.
///
/// The sum of work equals the sum over the queue to the last bit where every work is a multiple of
/// one power of two and the sum has at most 53 bits. That is so for the standard workload, whose
/// times are single precision and at least 100 s.
final class WaitingJobs {
    private final EnvironmentSettings settings;
    private final Observation observation;
    private final int window;
    private final double[] arrivals;

    /// How many jobs of the window need so many GPUs, and one bit for each number above zero.
    private final int[] byGpus;

    private long anyByGpus;

    private BenchmarkJobs jobs;
    private int[] queue = new int[0];
    private float[] lengths = new float[0];
    private int size;
    private double work;

    WaitingJobs(EnvironmentSettings settings, Observation observation, BenchmarkJobs jobs) {
        this.settings = settings;
        this.observation = observation;
        this.window = settings.window();
        this.arrivals = new double[window];
        this.byGpus = new int[settings.gpus() + 1];
        this.jobs = jobs;
    }

    /// Begins an episode with these jobs, none of which waits.
    void begin(BenchmarkJobs drawn) {
        jobs = drawn;
        int count = jobs.size();
        queue = queue.length == count ? queue : new int[count];
        lengths = lengths.length == count ? lengths : new float[count];
        for (int i = 0; i < count; i++) {
            lengths[i] = (float) (jobs.seconds(i) / settings.workload().longest());
        }
        Arrays.fill(byGpus, 0);
        anyByGpus = 0;
        size = 0;
        work = 0;
        observation.clear();
    }

    int size() {
        return size;
    }

    private int seen() {
        return Math.min(size, window);
    }

    /// The work of all of them.
    double work() {
        return work;
    }

    void add(int job) {
        queue[size++] = job;
        work += jobs.work(job);
        if (size <= window) {
            enterWindow(size - 1);
        }
    }

    /// Removes the job at this position, counted from 0, and returns it.
    int remove(int position) {
        int job = queue[position];
        int seen = seen();
        System.arraycopy(queue, position + 1, queue, position, size - position - 1);
        System.arraycopy(arrivals, position + 1, arrivals, position, seen - position - 1);
        observation.remove(position);
        size--;
        work = size == 0 ? 0 : work - jobs.work(job);
        int gpus = jobs.gpus(job);
        if (--byGpus[gpus] == 0) {
            anyByGpus &= ~bit(gpus);
        }
        if (size >= window) {
            enterWindow(window - 1);
        }
        return job;
    }

    private void enterWindow(int position) {
        int job = queue[position];
        int gpus = jobs.gpus(job);
        arrivals[position] = jobs.arrival(job);
        byGpus[gpus]++;
        anyByGpus |= bit(gpus);
        observation.add(
                lengths[job],
                (float) ((double) jobs.priority(job) / 10),
                (float) ((double) gpus / settings.gpus()));
    }

    /// A job needs 1 to 64 GPUs.
    private static long bit(int gpus) {
        return 1L << gpus - 1;
    }

    /// Whether the window has a job that needs no more GPUs than this.
    boolean anyNeedsAtMost(int idle) {
        return idle > 0 && (anyByGpus & -1L >>> Long.SIZE - idle) != 0;
    }

    /// Whether the window has a job at this position, and it needs no more GPUs than this.
    boolean needsAtMost(int idle, int position) {
        return position >= 0 && position < seen() && jobs.gpus(queue[position]) <= idle;
    }

    /// Writes how long each job in the window has waited, as parts of the horizon.
    void writeWaited(double now, double horizon) {
        double whole = Math.max(1e-6, horizon);
        int seen = seen();
        for (int i = 0; i < seen; i++) {
            double waited = (now - arrivals[i]) / whole;
            observation.waited(i, (float) Math.max(0, Math.min(1, waited)));
        }
    }
}
