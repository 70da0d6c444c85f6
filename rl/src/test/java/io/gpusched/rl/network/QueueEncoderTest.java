package io.gpusched.rl.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

final class QueueEncoderTest {
    private static final int WINDOW = 3;
    private static final int GPUS = 8;

    private final QueueEncoder encoder = new QueueEncoder(WINDOW, GPUS);

    /// Jobs of 2, 4 and 2 GPUs wait; one job holds 2 GPUs and one holds 3; 3 GPUs are idle.
    private static float[] observation() {
        return new float[] {
            0.1f, 0.5f, 0.25f, 0.2f, 0.4f, 0.5f, 0.5f, 0.1f, 0.05f, 0.5f, 0.25f, 0, 0.3f, 0.3f,
            0.2f, 0.2f, 0.2f, 0, 0, 0, 0.375f, 0.625f
        };
    }

    @Test
    void runningJobsAreReadBackFromTheLookahead() {
        var queue = new QueueSummary(observation(), 0, WINDOW, GPUS);
        assertThat(queue.running).isEqualTo(2);
        assertThat(Arrays.copyOf(queue.width, 2)).containsExactly(3, 2);
        assertThat(Arrays.copyOf(queue.left, 2)).containsExactly(0.2f, 0.3f);
        assertThat(queue.idle).isEqualTo(3);
    }

    @Test
    void waitingJobsAreCountedByTheirWidth() {
        var queue = new QueueSummary(observation(), 0, WINDOW, GPUS);
        assertThat(queue.jobs).isEqualTo(3);
        assertThat(queue.count).containsExactly(0, 0, 2, 0, 1, 0, 0, 0, 0);
        assertThat(queue.shorter(2, 0.1f)).isEqualTo(1);
    }

    @Test
    void anActionShowsWhatTheNextEndLeavesIdle() {
        var rows = new float[2 * encoder.features()];
        encoder.encode(observation(), 0, new boolean[] {true, true, false, false}, 0, rows, 0);
        assertThat(rows[0]).as("the first row is the no-op").isEqualTo(1);
        int job = encoder.features();
        assertThat(rows[job]).isZero();
        assertThat(rows[job + 6]).as("1 GPU left idle").isEqualTo(1 / 8f);
        // The job ends before the others, so 3 GPUs are idle then, and the widest that fits has 2.
        assertThat(rows[job + 12]).as("idle after the next end").isEqualTo(3 / 8f);
        assertThat(rows[job + 14]).as("of these not filled").isEqualTo(1 / 8f);
        assertThat(rows[job + 15]).as("it ends first").isEqualTo(1);
    }

    @Test
    void theStateIsTheSameInEveryRow() {
        var rows = new float[2 * encoder.features()];
        encoder.encode(observation(), 0, new boolean[] {true, true, false, false}, 0, rows, 0);
        var state = new float[encoder.stateFeatures()];
        encoder.encodeState(observation(), 0, state, 0);
        int features = encoder.features();
        int from = features - state.length;
        assertThat(Arrays.copyOfRange(rows, from, features)).isEqualTo(state);
        assertThat(Arrays.copyOfRange(rows, features + from, 2 * features)).isEqualTo(state);
    }
}
