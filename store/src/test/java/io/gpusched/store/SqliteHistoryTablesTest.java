package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

final class SqliteHistoryTablesTest extends HistoryTablesContract {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Override
    Database database() {
        return new Database.Sqlite(folder);
    }

    @Test
    void aDamagedFileIsRenamedAndANewOneBegins() throws IOException {
        Files.writeString(folder.resolve("history.db"), "this is no database, ".repeat(500));
        assertThatThrownBy(() -> history.newest(10)).isInstanceOf(StoreException.class);
        history.write(List.of(cluster(10, 100)));
        assertThat(history.newest(10)).isEqualTo(100);
        assertThat(health.warnings).singleElement().asString().contains("a new one begins");
    }

    @Test
    void aChartOfOneTenantReadsNoStepsOfOthers() throws SQLException {
        history.write(List.of(tenant(10, 100, "a")));
        try (var connection = Dialect.connect(database(), HistoryTables.FILE);
                var plan =
                        connection.prepareStatement(
                                "EXPLAIN QUERY PLAN " + history.select(true, true));
                var row = plan.executeQuery()) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString("detail"))
                    .contains("(tenant_id=? AND step=? AND at>? AND at<?)");
            assertThat(row.next()).as("nothing is sorted").isFalse();
        }
    }

    /// The bound of the disk follows from the number of rows and their size.
    @Test
    void aRowOfATenantTakesLessThan100Bytes() throws IOException {
        var rows = new ArrayList<HistoryRow>();
        for (int at = 0; at < 200; at++) {
            for (int tenant = 0; tenant < 101; tenant++) {
                rows.add(
                        tenant(
                                10,
                                1_800_000_000L + at * 10L,
                                "team-of-length-%02d".formatted(tenant)));
            }
        }
        history.write(rows);
        history.close();
        double bytes = Files.size(folder.resolve("history.db")) / (double) rows.size();
        assertThat(bytes).isLessThan(100);
    }
}
