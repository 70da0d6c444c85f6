package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The contract of the history: what was written is read again, also by the next process.
@Timeout(120)
abstract class HistoryTablesContract {
    final RecordedHealth health = new RecordedHealth();

    @SuppressWarnings("NullAway.Init")
    HistoryTables history;

    /// An empty database, the same one for the whole test.
    abstract Database database();

    @BeforeEach
    void open() {
        history = new HistoryTables(database(), health);
    }

    @AfterEach
    void close() {
        history.close();
    }

    @Test
    void whatWasWrittenIsReadAgainAfterARestart() {
        var rows = List.of(cluster(10, 100), cluster(10, 110), cluster(60, 60));
        var tenants = List.of(tenant(10, 100, "a"), tenant(10, 100, "b"), tenant(10, 110, "a"));
        history.write(rows);
        history.write(tenants);
        history.close();
        open();
        assertThat(history.cluster(10, 0, 1000)).isEqualTo(rows.subList(0, 2));
        assertThat(history.cluster(10, 110, 1000)).isEqualTo(rows.subList(1, 2));
        assertThat(history.cluster(60, 0, 60)).isEmpty();
        assertThat(tenants(10, 0, 1000, null)).containsExactlyInAnyOrderElementsOf(tenants);
        assertThat(tenants(10, 100, 110, "a")).isEqualTo(tenants.subList(0, 1));
        assertThat(history.newest(10)).isEqualTo(110);
        assertThat(history.newest(600)).isEqualTo(-1);
    }

    @Test
    void anUnknownFigureStaysUnknown() {
        var empty = new HistoryRow(10, 100, "", 1, 0, Map.of(), WaitSketch.NONE);
        history.write(List.of(empty));
        assertThat(history.cluster(10, 0, 1000)).containsExactly(empty);
    }

    @Test
    void aStepThatIsWrittenAgainReplacesTheFirst() {
        history.write(List.of(cluster(10, 100)));
        var again = new HistoryRow(10, 100, "", 2, 0, Map.of(), WaitSketch.NONE);
        history.write(List.of(again));
        assertThat(history.cluster(10, 0, 1000)).containsExactly(again);
    }

    @Test
    void oldStepsOfOneLengthAreDeleted() {
        history.write(
                List.of(
                        cluster(10, 100),
                        cluster(10, 110),
                        cluster(60, 60),
                        tenant(10, 100, "a"),
                        tenant(10, 110, "a")));
        history.prune(10, 110);
        assertThat(history.cluster(10, 0, 1000)).containsExactly(cluster(10, 110));
        assertThat(tenants(10, 0, 1000, null)).containsExactly(tenant(10, 110, "a"));
        assertThat(history.cluster(60, 0, 1000)).hasSize(1);
    }

    @Test
    void aTableThatWasDeletedIsCreatedAgain() throws SQLException {
        history.write(List.of(cluster(10, 100)));
        try (var connection = Dialect.connect(database(), HistoryTables.FILE);
                var sql = connection.createStatement()) {
            sql.execute("DROP TABLE tenant_history");
        }
        assertThatThrownBy(() -> history.write(List.of(tenant(10, 100, "a"))))
                .isInstanceOf(StoreException.class);
        history.write(List.of(tenant(10, 100, "a")));
        assertThat(tenants(10, 0, 1000, "a")).hasSize(1);
        assertThat(history.cluster(10, 0, 1000)).as("the other table is kept").hasSize(1);
        assertThat(health.warnings).singleElement().asString().contains("created again");
    }

    @Test
    void aSchemaOfANewerReleaseIsRefusedAtEveryCall() throws SQLException {
        history.write(List.of(cluster(10, 100)));
        history.close();
        open();
        schema("version + 100");
        for (int call = 0; call < 2; call++) {
            assertThatThrownBy(() -> history.newest(10))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("start a newer release");
        }
        schema("version - 100");
        assertThat(history.newest(10)).isEqualTo(100);
    }

    private void schema(String version) throws SQLException {
        try (var connection = Dialect.connect(database(), HistoryTables.FILE);
                var sql = connection.createStatement()) {
            sql.execute("UPDATE schema_versions SET version = " + version);
        }
    }

    @Test
    void namesOfTenantsAreNeverSql() {
        String hostile = "a'; DROP TABLE history; --";
        history.write(List.of(tenant(10, 100, hostile)));
        assertThat(tenants(10, 0, 1000, hostile)).containsExactly(tenant(10, 100, hostile));
    }

    List<HistoryRow> tenants(int step, long from, long to, @Nullable String tenant) {
        var rows = new ArrayList<HistoryRow>();
        history.tenants(step, from, to, tenant, rows::add);
        return rows;
    }

    static HistoryRow cluster(int step, long at) {
        return new HistoryRow(
                step,
                at,
                "",
                6,
                5,
                Map.of(
                        HistoryColumn.GPUS_TOTAL,
                        64.0,
                        HistoryColumn.GPUS_USED,
                        12.25,
                        HistoryColumn.GPU_TEMPERATURE_MAX,
                        81.5),
                new WaitSketch(new TreeMap<>(Map.of(0, 3, 80, 200))));
    }

    static HistoryRow tenant(int step, long at, String tenant) {
        return new HistoryRow(
                step,
                at,
                tenant,
                6,
                5,
                Map.of(HistoryColumn.GPUS_USED, 3.5, HistoryColumn.STARTED, 2.0),
                WaitSketch.NONE);
    }
}
