package io.gpusched.rl.network;

import java.util.Arrays;

/// An observation read back: the waiting jobs by their number of GPUs, and the running jobs.
///
/// GPUs that become free at the same time belong to one running job, so the look-ahead modes
/// `per_gpu` and `sorted` show how many jobs run, how wide each is, and when it ends. That matters:
/// at most one job starts per event, so the number of running jobs hardly ever grows again.
///
/// Widths are counted in eighths of the cluster.
final class QueueSummary {
    static final int WIDTHS = 8;
    static final int FEATURES = 22 + WIDTHS;

    /// Lengths are parts of the longest possible one; most are short.
    private static final float LENGTH_SCALE = 4;

    private static final int PER_JOB = 4;
    private static final int LENGTH = 0;
    private static final int WIDTH = 2;
    private static final int WAITED = 3;

    private final float[] seen;
    private final int at;
    final int jobs;
    final int idle;

    /// How many waiting jobs have each width, and the sum of their lengths.
    final int[] count = new int[WIDTHS + 1];

    private final float[] lengths = new float[WIDTHS + 1];

    /// The running jobs, the first to end first: how long they still run, and how wide they are.
    final float[] left;

    final int[] width;
    final int running;

    private float sumOfLengths;
    private float sumOfWidths;
    private float sumOfWork;
    private float longest;
    private float waited;

    /// @param at where the observation begins
    QueueSummary(float[] seen, int at, int window, int gpus) {
        this.seen = seen;
        this.at = at;
        this.idle = eighths(seen[at + PER_JOB * window + gpus]);
        this.jobs = countJobs(window);
        float[] busy =
                Arrays.copyOfRange(seen, at + PER_JOB * window, at + PER_JOB * window + gpus);
        Arrays.sort(busy);
        this.left = new float[gpus];
        var held = new int[gpus];
        int found = 0;
        for (float each : busy) {
            if (each > 0 && (found == 0 || left[found - 1] != each)) {
                left[found++] = each;
            }
            if (each > 0) {
                held[found - 1]++;
            }
        }
        for (int i = 0; i < found; i++) {
            held[i] = eighths((float) held[i] / gpus);
        }
        this.width = held;
        this.running = found;
    }

    private int countJobs(int window) {
        int found = 0;
        while (found < window && seen[at + PER_JOB * found + WIDTH] > 0) {
            int wide = width(found);
            float length = length(found);
            float part = seen[at + PER_JOB * found + WIDTH];
            count[wide]++;
            lengths[wide] += length;
            sumOfLengths += length;
            sumOfWidths += part;
            sumOfWork += length * part;
            longest = Math.max(longest, length);
            waited = Math.max(waited, waited(found));
            found++;
        }
        return found;
    }

    float length(int job) {
        return seen[at + PER_JOB * job + LENGTH];
    }

    float waited(int job) {
        return seen[at + PER_JOB * job + WAITED];
    }

    int width(int job) {
        return Math.max(1, eighths(seen[at + PER_JOB * job + WIDTH]));
    }

    private static int eighths(float part) {
        return Math.min(WIDTHS, (int) Math.ceil(part * WIDTHS - 1e-4f));
    }

    /// How many waiting jobs of this width are shorter.
    int shorter(int wide, float length) {
        int found = 0;
        for (int job = 0; job < jobs; job++) {
            found += width(job) == wide && length(job) < length ? 1 : 0;
        }
        return found;
    }

    /// Writes the features of queue and cluster.
    void write(float[] to, int first, int window) {
        float all = Math.max(1, jobs);
        int next = first;
        to[next++] = (float) idle / WIDTHS;
        to[next++] = (float) running / WIDTHS;
        to[next++] = (float) jobs / window;
        for (int wide = 1; wide <= WIDTHS; wide++) {
            to[next++] = count[wide] / all;
        }
        for (int wide = 1; wide < WIDTHS; wide++) {
            to[next++] = LENGTH_SCALE * lengths[wide] / Math.max(1, count[wide]);
        }
        to[next++] = sumOfWidths / all;
        to[next++] = sumOfLengths == 0 ? 0 : sumOfWork / sumOfLengths;
        to[next++] = LENGTH_SCALE * sumOfLengths / all;
        to[next++] = longest;
        to[next++] = LENGTH_SCALE * left(0);
        to[next++] = LENGTH_SCALE * left(1);
        to[next++] = left(running - 1);
        to[next++] = running == 0 ? 0 : (float) width[0] / WIDTHS;
        to[next++] = running == 0 ? 0 : (float) width[running - 1] / WIDTHS;
        to[next++] = waited;
        to[next++] = jobs == window ? 1 : 0;
        to[next] = running <= 1 ? 1 : 0;
    }

    private float left(int which) {
        return which < 0 || which >= running ? 0 : left[which];
    }
}
