package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Topology;
import io.gpusched.server.metrics.EfficiencyMeters;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.view.LatestReadings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The metrics of replicas with the names of NeuroNetes, against the real server.
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class ReplicaMetricsRestTest {
    private static final String CHAT = "/api/v1/pools/chat";
    private static final String SPEED = "gpu_scheduler_pool_tokens_per_second{pool=\"chat\"}";
    private static final String COST = "cost_usd_per_1k_tokens{pool=\"chat\"}";
    private static final String ENERGY = "energy_kwh_per_1k_tokens{pool=\"chat\"}";

    @TempDir Path data;

    private Running rest;
    private FakeNodes nodes;
    private int sequence;

    @BeforeEach
    void start() {
        rest = Running.in(data);
        nodes = new FakeNodes(rest.server());
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    private void price(String value, int dollars, boolean spot) {
        var answer =
                rest.send(
                        "PUT",
                        "/api/v1/markets",
                        "{\"label\":\"capacity\",\"value\":\"%s\",\"dollars_per_gpu_hour\":%d,\"spot\":%s}"
                                .formatted(value, dollars, spot),
                        Map.of());
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private void put(String more) {
        var answer =
                rest.send(
                        "PUT",
                        CHAT,
                        """
                        {"model": "llama", "replica": {"gpu_count": 1, "command": ["serve"]},
                         "min_replicas": 2, "max_replicas": 4, "scaling": {"law": "static"},
                         "serving": {"port": 9000, "drain_seconds": 0} %s}
                        """
                                .formatted(more),
                        Map.of());
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    /// The jobs of both replicas, when they are placed.
    private List<String> placed() {
        var jobs = new ArrayList<String>();
        Soon.that(
                "two replicas are placed",
                () -> {
                    jobs.clear();
                    for (JsonNode each : rest.get(CHAT).json().at("/status/replicas")) {
                        if (!each.get("node_id").isNull()) {
                            jobs.add(each.get("job_id").asText());
                        }
                    }
                    return jobs.size() == 2;
                });
        return jobs;
    }

    private void serve(List<String> jobs) {
        var replicas = new ArrayList<String>();
        for (String job : jobs) {
            nodes.run(job);
            replicas.add("{\"job_id\":\"%s\",\"ready\":true}".formatted(job));
        }
        String load =
                "{\"source\":\"gw\",\"sequence\":%d,\"over_ms\":1000,\"output_tokens\":600,\"replicas\":[%s]}"
                        .formatted(++sequence, String.join(",", replicas));
        assertThat(rest.post(CHAT + "/load", load).status()).isEqualTo(202);
    }

    private double metric(String series) {
        return metric(rest.get("/metrics").text(), series);
    }

    private static double metric(String page, String series) {
        String line =
                page.lines()
                        .filter(each -> each.startsWith(series + " "))
                        .findFirst()
                        .orElse(series + " NaN");
        return Double.parseDouble(line.substring(series.length() + 1));
    }

    @Test
    void startsScalingAndPreemptionAreCounted() {
        nodes.join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"allow_preemption\":true}");
        put(", \"tenant_id\": \"a\"");
        serve(placed());
        assertThat(metric("hpa_decisions_total{direction=\"up\",pool=\"chat\"}")).isEqualTo(1);
        assertThat(metric("agent_scaling_lag_seconds_count{pool=\"chat\"}")).isEqualTo(2);
        assertThat(metric("model_load_time_seconds_count{model=\"llama\",pool=\"chat\"}"))
                .isEqualTo(2);
        serve(placed());
        assertThat(metric("agent_scaling_lag_seconds_count{pool=\"chat\"}")).isEqualTo(2);
        assertThat(metric("replica_preemptions_total{pool=\"chat\"}")).isNaN();
        rest.submit("{\"gpu_count\":4,\"priority\":1000}");
        Soon.that("both leave", () -> metric("replica_preemptions_total{pool=\"chat\"}") == 2);
    }

    @Test
    void gangsAndHoursAreCounted() {
        nodes.join("n1", 8).join("n2", 8);
        assertThat(metric("gang_schedule_wait_seconds_count")).isZero();
        String gang = rest.submit("{\"gpu_count\":16,\"gang_scheduling\":true}");
        Soon.that("it is placed", () -> metric("gang_schedule_wait_seconds_count") == 1);
        nodes.run(gang);
        nodes.end(gang, 0);
        Soon.that("its time is counted", () -> metric("gpu_hours_total{tenant=\"default\"}") > 0);
    }

    @Test
    void spotCapacitySavesMoneyUntilItIsTakenAway() {
        price("spot", 1, true);
        price("on-demand", 3, false);
        nodes.join("s1", 8, Labels.of("capacity", "spot"));
        put(", \"cost\": {\"spot_percent\": 100}");
        serve(placed());
        String saved = "spot_savings_usd_total{pool=\"chat\"}";
        Soon.that("money is saved", () -> metric(saved) > 0);
        nodes.lose("s1");
        Soon.that(
                "both are interrupted",
                () -> metric("spot_interruptions_total{pool=\"chat\"}") == 2);
        double before = metric(saved);
        assertThat(metric(saved)).isEqualTo(before);
    }

    @Test
    void tokensCostMoneyAndMeasuredEnergy() {
        price("on-demand", 3, false);
        nodes.join("n1", 8, Labels.of("capacity", "on-demand"));
        put("");
        List<String> jobs = placed();
        serve(jobs);
        Soon.that(
                "tokens of an interval that is over count",
                () -> {
                    serve(jobs);
                    return metric(SPEED) > 0;
                });
        String page = rest.get("/metrics").text();
        double speed = metric(page, SPEED);
        // Two GPUs for 3 $ an hour each.
        assertThat(metric(page, COST)).isCloseTo(6 / (speed * 3.6), within(1e-9));
        assertThat(metric(page, ENERGY)).isNaN();
        var meters = new Meters();
        LatestReadings readings =
                (node, gpu) -> new LatestReadings.Gpu(60, gpu == 0 ? 90 : 0, 1_000, 400);
        EfficiencyMeters.add(meters, rest.server()::view, readings, Instant::now);
        // The two GPUs draw 0.8 kW.
        page = meters.text();
        assertThat(metric(page, ENERGY)).isCloseTo(metric(page, COST) * 0.8 / 6, within(1e-9));
        assertThat(page)
                .contains("gpu_util_pct{node=\"n1\"} 11.25")
                .contains("gpu_vram_used_gb{node=\"n1\"} 8.388608");
    }

    @Test
    void slicesAndConnectionsAreThoseThatJobsHold() {
        nodes.join("m1", 1, Labels.of(MigConfig.LABEL, "all-1g.10gb"));
        assertThat(metric("gpu_mig_slice_util_pct{node=\"m1\"}")).isZero();
        rest.submit("{\"mig_profile\":\"1g.10gb\"}");
        Soon.that("a slice is held", () -> metric("gpu_mig_slice_util_pct{node=\"m1\"}") == 14.2);

        nodes.join("n1", Topology.of(List.of(0, 0, 1, 1), List.of(), List.of()));
        assertThat(metric("topology_penalty_score")).isNaN();
        rest.submit("{\"gpu_count\":2}");
        Soon.that("it has one socket", () -> metric("topology_penalty_score") == 0);
        rest.submit("{\"gpu_count\":3}");
        nodes.join("n2", Topology.of(List.of(0, 0, 1, 1), List.of(), List.of()));
        Soon.that("another one has two", () -> metric("topology_penalty_score") > 0);
        assertThat(metric("topology_penalty_score")).isLessThan(1);
    }
}
