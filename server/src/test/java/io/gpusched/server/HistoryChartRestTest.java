package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.store.Database;
import io.gpusched.store.HistoryColumn;
import io.gpusched.store.HistoryRow;
import io.gpusched.store.HistoryTables;
import io.gpusched.store.StoreHealth;
import io.gpusched.store.WaitSketch;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The routes of the history, on figures that an earlier server wrote.
@Timeout(60)
final class HistoryChartRestTest {
    private static final long TEN_MINUTES = 600;

    @TempDir Path temp;

    /// A whole ten minutes in the past: the window of every request.
    private final long begin = (Instant.now().getEpochSecond() / TEN_MINUTES - 2) * TEN_MINUTES;

    private @Nullable Running running;

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void anEarlierServersFiguresAreShown() {
        Running rest = start(Map.of());
        JsonNode chart =
                rest.get("/api/v1/history?series=gpus_used,wait_p90_seconds,started" + window())
                        .json();
        assertThat(chart.get("from").asText()).isEqualTo(Instant.ofEpochSecond(begin).toString());
        assertThat(chart.get("step_seconds").asInt()).isEqualTo(20);
        assertThat(chart.get("times")).hasSize(30);
        assertThat(chart.at("/times/0").asLong()).isEqualTo(begin);
        assertThat(chart.at("/series/gpus_used/0").asDouble()).as("of 0 and 1").isEqualTo(0.5);
        assertThat(chart.at("/series/gpus_used/29").asDouble()).isEqualTo(58.5);
        assertThat(chart.at("/series/started/3").asInt()).as("one in each step").isEqualTo(2);
        assertThat(chart.at("/series/wait_p90_seconds/0").asDouble()).isBetween(9.5, 10.5);
        assertThat(chart.get("series")).hasSize(3);
        JsonNode all = rest.get("/api/v1/history?" + window().substring(1)).json();
        assertThat(all.get("series")).hasSize(14);
        assertThat(all.at("/series/power_watts/0").isNull()).as("never measured").isTrue();
    }

    @Test
    void aTenantsFiguresAreZeroWhereItHadNoJobs() {
        Running rest = start(Map.of());
        JsonNode chart =
                rest.get(
                                "/api/v1/history?tenant=research&series=gpus_used,share,wait_p50_seconds"
                                        + window())
                        .json();
        assertThat(chart.at("/series/gpus_used/0").asDouble()).isEqualTo(4);
        assertThat(chart.at("/series/share/0").asDouble()).isEqualTo(0.0625);
        assertThat(chart.at("/series/gpus_used/29").asDouble()).isZero();
        assertThat(chart.at("/series/wait_p50_seconds/0").isNull()).isTrue();
        JsonNode idle =
                rest.get("/api/v1/history?tenant=default&series=gpus_used" + window()).json();
        assertThat(idle.at("/series/gpus_used/3").asDouble()).isZero();
    }

    @Test
    void tenantsAreShownTheLargestFirst() {
        Running rest = start(Map.of());
        JsonNode chart = rest.get("/api/v1/history/tenants?series=gpus_used" + window()).json();
        var names = new ArrayList<String>();
        chart.get("tenants").fieldNames().forEachRemaining(names::add);
        assertThat(names).containsExactly("secret", "research");
        assertThat(chart.at("/tenants/secret")).hasSize(30);
    }

    @Test
    void aTenantSeesItsOwnFiguresAndTheTotals() {
        Running rest = start(Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true")).asAdmin();
        rest.post("/api/v1/tenants", "{\"id\":\"research\",\"name\":\"Research\"}");
        rest.as(rest.post("/api/v1/tenants/research/tokens", "").field("token"));
        assertThat(
                        rest.get("/api/v1/history/tenants?series=share" + window())
                                .json()
                                .get("tenants"))
                .hasSize(1);
        assertThat(rest.get("/api/v1/history?tenant=research" + window()).status()).isEqualTo(200);
        var other = rest.get("/api/v1/history?tenant=secret" + window());
        assertThat(other.status()).isEqualTo(404);
        assertThat(other.text())
                .as("the same as for one that never was")
                .isEqualTo(
                        rest.get("/api/v1/history?tenant=nobody" + window())
                                .text()
                                .replace("nobody", "secret"));
        assertThat(rest.get("/api/v1/history?series=gpus_used" + window()).status()).isEqualTo(200);
        assertThat(rest.as("").get("/api/v1/history").status()).isEqualTo(401);
    }

    @Test
    void wrongParametersAreRefusedByNameWithARemedy() {
        Running rest = start(Map.of());
        refused(rest, "/api/v1/history?series=gpu_used", "series", "gpus_used, gpu_utilization");
        refused(rest, "/api/v1/history?series=gpus_used,", "series", "gpus_total");
        refused(rest, "/api/v1/history?tenant=default&series=failed", "series", "share");
        refused(rest, "/api/v1/history/tenants?series=started,running", "series", "one series");
        refused(rest, "/api/v1/history?points=0", "points", "from 1 to 2000");
        refused(rest, "/api/v1/history?points=many", "points", "from 1 to 2000");
        refused(rest, "/api/v1/history?from=yesterday", "from", "2026-01-05T12:00:00Z");
        refused(rest, "/api/v1/history?to=2026-01-05", "to", "2026-01-05T12:00:00Z");
        refused(
                rest,
                "/api/v1/history?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
                "from",
                "earlier than to");
        refused(rest, "/api/v1/history?step=10", "step", "series, from, to, points, tenant");
    }

    @Test
    void aHugeWindowIsAnsweredWithWhatThereIs() {
        Running rest = start(Map.of());
        String huge = "from=-999999999-01-01T00:00:00Z&to=%2B999999999-12-31T23:59:59Z";
        for (String path : List.of("/api/v1/history?", "/api/v1/history/tenants?")) {
            var answered = rest.get(path + huge);
            assertThat(answered.status()).as(answered.text()).isEqualTo(200);
            assertThat(answered.json().get("times").size()).isBetween(1, 300);
        }
        assertThat(rest.get("/api/v1/history?points=1&" + huge).json().get("times")).hasSize(1);
    }

    @Test
    void aMissingOrDamagedHistoryStopsNothing() throws IOException {
        Files.createDirectories(temp.resolve("data"));
        Files.writeString(temp.resolve("data/history.db"), "no database ".repeat(999));
        Running rest = Running.in(temp.resolve("data"));
        running = rest;
        assertThat(rest.get("/api/v1/history").status()).isEqualTo(503);
        assertThat(rest.get("/api/v1/history").status()).as("a new one began").isEqualTo(200);
        rest.submit("{}");
    }

    private static void refused(Running rest, String path, String field, String remedy) {
        var answered = rest.get(path);
        assertThat(answered.status()).as(path).isEqualTo(400);
        assertThat(answered.field("field")).isEqualTo(field);
        assertThat(answered.field("hint")).contains(remedy);
    }

    /// Ten minutes of steps of ten seconds: step i has i GPUs of 64 in use and one start. In the
    /// first five minutes a tenant holds four GPUs, and another one eight in all of them.
    private Running start(Map<String, String> environment) {
        try (var tables =
                new HistoryTables(new Database.Sqlite(temp.resolve("data")), StoreHealth.UNHEARD)) {
            var rows = new ArrayList<HistoryRow>();
            for (int i = 0; i < 60; i++) {
                rows.add(
                        row(
                                i,
                                "",
                                Map.of(
                                        HistoryColumn.GPUS_TOTAL,
                                        64.0,
                                        HistoryColumn.GPUS_USED,
                                        (double) i,
                                        HistoryColumn.STARTED,
                                        1.0),
                                new WaitSketch(
                                        new TreeMap<>(
                                                Map.of(
                                                        WaitSketch.bucket(Duration.ofSeconds(10)),
                                                        1)))));
                if (i < 30) {
                    rows.add(
                            row(
                                    i,
                                    "research",
                                    Map.of(HistoryColumn.GPUS_USED, 4.0),
                                    WaitSketch.NONE));
                }
                rows.add(row(i, "secret", Map.of(HistoryColumn.GPUS_USED, 8.0), WaitSketch.NONE));
            }
            tables.write(rows);
        }
        Running rest = Running.in(temp.resolve("data"), environment);
        running = rest;
        return rest;
    }

    private HistoryRow row(
            int step, String tenant, Map<HistoryColumn, Double> figures, WaitSketch waits) {
        return new HistoryRow(10, begin + step * 10L, tenant, 1, 0, figures, waits);
    }

    private String window() {
        return "&from=%s&to=%s&points=40"
                .formatted(Instant.ofEpochSecond(begin), Instant.ofEpochSecond(begin + 600));
    }
}
