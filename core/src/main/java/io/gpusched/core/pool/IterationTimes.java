package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How long one iteration of a replica took, by how much it worked on: sums of whole numbers in a
/// small grid of loads.
///
/// A replica answers in iterations. Each makes one token for every running request and takes in
/// some prompt tokens. A mean over all time would forget how a busy replica behaves as soon as the
/// pool is idle; the grid keeps what was seen at each load, and newer observations replace older
/// ones of the same load only.
public final class IterationTimes {
    /// Cells by running requests: 0 to 1, 2, 4, 8 … 256 and more.
    private static final int ROWS = 9;

    /// Cells by prompt tokens per iteration: fewer than 32, 128, 512, and more.
    private static final int COLUMNS = 4;

    /// A cell halves its sums when it holds so many observations.
    private static final int FULL = 128;

    /// What was observed at one load.
    ///
    /// @param milliRunning sum of running requests, in thousandths
    /// @param kvPermille sum of the use of the KV cache, in thousandths
    /// @param promptTokens sum of prompt tokens per iteration
    /// @param micros sum of the iterations' durations
    public record Cell(
            int count, long milliRunning, long kvPermille, long promptTokens, long micros) {
        static final Cell EMPTY = new Cell(0, 0, 0, 0, 0);

        private Cell plus(long running, long kv, long prompt, long duration) {
            Cell kept = count < FULL ? this : half();
            return new Cell(
                    kept.count + 1,
                    kept.milliRunning + running,
                    kept.kvPermille + kv,
                    kept.promptTokens + prompt,
                    kept.micros + duration);
        }

        private Cell half() {
            return new Cell(
                    count / 2, milliRunning / 2, kvPermille / 2, promptTokens / 2, micros / 2);
        }
    }

    private final List<Cell> cells = new ArrayList<>();

    IterationTimes() {
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            cells.add(Cell.EMPTY);
        }
    }

    /// Takes in what one replica did within a report's time.
    void add(ReplicaLoad replica, Duration over) {
        long micros = over.toNanos() / 1000;
        if (replica.interTokenMicros() <= 0
                || replica.outputTokens() <= 0
                || micros < replica.interTokenMicros()) {
            return;
        }
        long iteration = replica.interTokenMicros();
        long milliRunning =
                Math.clamp(replica.outputTokens() * 1_000 * iteration / micros, 1_000, 1_000_000);
        long prompt = Math.min(1_000_000, replica.promptTokens() * iteration / micros);
        int index = row(milliRunning) * COLUMNS + column(prompt);
        cells.set(
                index,
                cells.get(index)
                        .plus(
                                milliRunning,
                                replica.kvPermille(),
                                prompt,
                                Math.min(60_000_000, iteration)));
    }

    private static int row(long milliRunning) {
        int row = 0;
        for (long limit = 2_000; row < ROWS - 1 && milliRunning >= limit; limit *= 2) {
            row++;
        }
        return row;
    }

    private static int column(long prompt) {
        int column = 0;
        for (long limit = 32; column < COLUMNS - 1 && prompt >= limit; limit *= 4) {
            column++;
        }
        return column;
    }

    /// Every cell of the grid, also those without observations.
    public List<Cell> cells() {
        return List.copyOf(cells);
    }

    void restore(List<Cell> image) {
        Check.that(
                image.size() == cells.size(),
                "a grid has %s cells, found %s",
                cells.size(),
                image.size());
        for (int i = 0; i < cells.size(); i++) {
            cells.set(i, image.get(i));
        }
    }
}
