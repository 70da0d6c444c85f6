package io.gpusched.rl.network;

import java.util.Arrays;

/// Describes starting a job by the job, by what it leaves idle, and by the state of queue and GPUs.
///
/// Durations and widths appear as logarithms too, because good index rules are products of powers.
/// The order of the jobs in the window plays no part.
public final class QueueEncoder implements ActionEncoder {
    private static final int PER_JOB = 4;
    private static final int LENGTH = 0;
    private static final int PRIORITY = 1;
    private static final int WIDTH = 2;
    private static final int WAITED = 3;

    private static final int OF_ACTION = 9;
    private static final int[] WIDTHS = {1, 2, 4};
    private static final int WIDTH_CLASSES = WIDTHS.length + 1;
    private static final int OF_STATE = 3 + WIDTH_CLASSES + 4;
    private static final float SHORTEST = 1e-3f;
    private static final float LOG_SCALE = 0.25f;

    private final int window;
    private final int gpus;

    public QueueEncoder(int window, int gpus) {
        this.window = window;
        this.gpus = gpus;
    }

    @Override
    public String version() {
        return "queue-1";
    }

    @Override
    public int observed() {
        return PER_JOB * window + gpus + 2;
    }

    @Override
    public int actions() {
        return window + 1;
    }

    @Override
    public int features() {
        return OF_ACTION + OF_STATE;
    }

    @Override
    public void encode(
            float[] observations, int at, boolean[] allowed, int allowedAt, float[] rows, int row) {
        float[] state = describeState(observations, at);
        int to = row * features();
        for (int action = 0; action < actions(); action++) {
            if (!allowed[allowedAt + action]) {
                continue;
            }
            if (action == 0) {
                Arrays.fill(rows, to, to + OF_ACTION, 0);
                rows[to] = 1;
            } else {
                describeJob(observations, at, at + PER_JOB * (action - 1), rows, to);
            }
            System.arraycopy(state, 0, rows, to + OF_ACTION, OF_STATE);
            to += features();
        }
    }

    private void describeJob(float[] seen, int at, int job, float[] rows, int to) {
        float length = seen[job + LENGTH];
        float width = seen[job + WIDTH];
        float idle = seen[at + observed() - 2];
        rows[to] = 0;
        rows[to + 1] = -LOG_SCALE * log(Math.max(length, SHORTEST));
        rows[to + 2] = LOG_SCALE * log(Math.max(1, width * gpus));
        rows[to + 3] = length;
        rows[to + 4] = width;
        rows[to + 5] = seen[job + PRIORITY];
        rows[to + 6] = seen[job + WAITED];
        rows[to + 7] = idle - width;
        rows[to + 8] = width >= idle ? 1 : 0;
    }

    private float[] describeState(float[] seen, int at) {
        var state = new float[OF_STATE];
        state[0] = seen[at + observed() - 2];
        int jobs = 0;
        float length = 0;
        while (jobs < window && seen[at + PER_JOB * jobs + WIDTH] > 0) {
            int job = at + PER_JOB * jobs;
            length += seen[job + LENGTH];
            state[3 + widthClass(seen[job + WIDTH] * gpus)]++;
            jobs++;
        }
        state[1] = (float) jobs / window;
        state[2] = length / Math.max(1, jobs);
        for (int i = 0; i < WIDTH_CLASSES; i++) {
            state[3 + i] /= Math.max(1, jobs);
        }
        describeLookahead(seen, at + PER_JOB * window, state);
        return state;
    }

    private static int widthClass(float width) {
        int found = 0;
        while (found < WIDTHS.length && width > WIDTHS[found] + 0.5f) {
            found++;
        }
        return found;
    }

    /// The least, first quarter's, mean and greatest entry of the look-ahead.
    private void describeLookahead(float[] seen, int at, float[] state) {
        int to = 3 + WIDTH_CLASSES;
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;
        float sum = 0;
        for (int gpu = 0; gpu < gpus; gpu++) {
            float each = seen[at + gpu];
            least = Math.min(least, each);
            most = Math.max(most, each);
            sum += each;
        }
        state[to] = least;
        state[to + 1] = seen[at + gpus / 4];
        state[to + 2] = sum / gpus;
        state[to + 3] = most;
    }

    private static float log(float x) {
        return (float) StrictMath.log(x);
    }
}
