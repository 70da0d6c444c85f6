package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

final class PoolHistoryTableTest {
    @TempDir Path folder;

    @Test
    void stepsAreWrittenJoinedReadAndPruned() {
        try (var tables = new HistoryTables(new Database.Sqlite(folder), StoreHealth.UNHEARD)) {
            PoolHistoryTable pools = tables.pools();
            var quiet = row("chat", 60, 0, Double.NaN);
            var busy = row("chat", 70, 1, 120);
            pools.write(List.of(quiet, busy, row("other", 60, 1, 500)));
            assertThat(pools.read("chat", 10, 0, 1000)).containsExactly(quiet, busy);
            pools.join(10, 60, 0, 120);
            pools.join(10, 60, 0, 120);
            assertThat(pools.read("chat", 60, 0, 1000))
                    .containsExactly(
                            new PoolHistoryRow("chat", 60, 60, 2, 1, 3, 2, 1.5, 40, 7, 120, 99));
            pools.prune(10, 70);
            assertThat(pools.read("chat", 10, 0, 1000)).containsExactly(busy);
            assertThat(pools.read("other", 60, 0, 1000)).hasSize(1);
        }
    }

    private static PoolHistoryRow row(String pool, long at, int measured, double firstToken) {
        return new PoolHistoryRow(
                pool,
                10,
                at,
                1,
                measured,
                3,
                2,
                1.5,
                40,
                7,
                firstToken,
                measured == 0 ? Double.NaN : 99);
    }
}
