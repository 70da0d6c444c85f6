package io.gpusched.rl.network;

import java.util.Arrays;

/// Describes starting a job by the job, by what it leaves idle, by what the next end will leave
/// idle and whether a waiting job fills that, and by the state of queue and GPUs.
///
/// Durations and widths appear as logarithms too, because good index rules are products of powers.
/// The order of the jobs in the window plays no part.
public final class QueueEncoder implements ActionEncoder {
    private static final int OF_ACTION = 19;
    private static final int WIDTHS = QueueSummary.WIDTHS;
    private static final float SHORTEST = 1e-3f;

    /// More jobs than this that fit exactly are as good as this many.
    private static final float ENOUGH = 5;

    private final int window;
    private final int gpus;

    public QueueEncoder(int window, int gpus) {
        this.window = window;
        this.gpus = gpus;
    }

    @Override
    public String version() {
        return "queue-2";
    }

    @Override
    public int observed() {
        return 4 * window + gpus + 2;
    }

    @Override
    public int actions() {
        return window + 1;
    }

    @Override
    public int features() {
        return OF_ACTION + QueueSummary.FEATURES;
    }

    @Override
    public int stateFeatures() {
        return QueueSummary.FEATURES;
    }

    @Override
    public void encodeState(float[] observations, int at, float[] rows, int row) {
        new QueueSummary(observations, at, window, gpus)
                .write(rows, row * QueueSummary.FEATURES, window);
    }

    @Override
    public void encode(
            float[] observations, int at, boolean[] allowed, int allowedAt, float[] rows, int row) {
        var queue = new QueueSummary(observations, at, window, gpus);
        var state = new float[QueueSummary.FEATURES];
        queue.write(state, 0, window);
        int to = row * features();
        for (int action = 0; action < actions(); action++) {
            if (!allowed[allowedAt + action]) {
                continue;
            }
            if (action == 0) {
                Arrays.fill(rows, to, to + OF_ACTION, 0);
                rows[to] = 1;
            } else {
                describeJob(queue, action - 1, rows, to);
            }
            System.arraycopy(state, 0, rows, to + OF_ACTION, state.length);
            to += features();
        }
    }

    private void describeJob(QueueSummary queue, int job, float[] rows, int to) {
        float length = queue.length(job);
        int width = queue.width(job);
        int left = queue.idle - width;
        rows[to] = 0;
        rows[to + 1] = -0.25f * log(Math.max(length, SHORTEST));
        rows[to + 2] = 0.5f * log(width);
        rows[to + 3] = 2 * length;
        rows[to + 4] = (float) width / WIDTHS;
        rows[to + 5] = queue.waited(job);
        rows[to + 6] = (float) left / WIDTHS;
        rows[to + 7] = left == 0 ? 1 : 0;
        rows[to + 8] = (float) othersUpTo(queue, width, left) / window;
        rows[to + 9] = (float) queue.count[width] / Math.max(1, queue.jobs);
        rows[to + 10] = (float) queue.shorter(width, length) / Math.max(1, queue.count[width]);
        rows[to + 11] = length * width / 2;
        describeNextEnd(queue, length, width, rows, to + 12);
    }

    /// What is idle after the next end, if the job starts now, and what could fill it.
    private static void describeNextEnd(
            QueueSummary queue, float length, int width, float[] rows, int to) {
        boolean runs = queue.running > 0;
        boolean endsFirst = !runs || length < queue.left[0];
        int idle = queue.idle - width + (endsFirst ? width : queue.width[0]);
        int fill = Math.min(WIDTHS, idle);
        while (fill > 0 && others(queue, width, fill) == 0) {
            fill--;
        }
        float last = runs ? queue.left[queue.running - 1] : 0;
        rows[to] = (float) idle / WIDTHS;
        rows[to + 1] = idle > WIDTHS ? 0 : Math.min(1, others(queue, width, idle) / ENOUGH);
        rows[to + 2] = (float) (idle - fill) / WIDTHS;
        rows[to + 3] = endsFirst ? 1 : 0;
        rows[to + 4] = runs && length > last ? 1 : 0;
        rows[to + 5] = runs ? Math.clamp(4 * (length - queue.left[0]), -1, 1) : 0;
        rows[to + 6] = runs ? Math.clamp(length - last, -1, 1) : 0;
    }

    /// How many waiting jobs have the width `wanted`, besides one of the width `started`.
    private static int others(QueueSummary queue, int started, int wanted) {
        return queue.count[wanted] - (wanted == started ? 1 : 0);
    }

    private static int othersUpTo(QueueSummary queue, int started, int most) {
        int found = 0;
        for (int wide = 1; wide <= most; wide++) {
            found += others(queue, started, wide);
        }
        return found;
    }

    private static float log(float x) {
        return (float) StrictMath.log(x);
    }
}
