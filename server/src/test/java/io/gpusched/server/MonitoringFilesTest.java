package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.NodeId;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.monitoring.Dashboard;
import io.gpusched.server.monitoring.Dashboards;
import io.gpusched.server.monitoring.PromExpression;
import io.gpusched.server.monitoring.Promtool;
import io.gpusched.server.monitoring.Scrape;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// No rule and no panel names a series that the server does not serve: a real server works for a
/// moment, its metrics are scraped, and all expressions are compared with them.
@Timeout(120)
final class MonitoringFilesTest {
    private static final Path PROMETHEUS = Path.of("../deploy/prometheus");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*([a-z_]+)\\s*}}");
    private static final Pattern ANNOTATION = Pattern.compile("\\$labels\\.([a-z_]+)");

    /// Names that the library for the process's own metrics chose.
    private static final Set<String> LINT_ALLOWED =
            Set.of("process_cpu_time_ns_total", "system_cpu_count", "gpu_hours_total");

    /// Series that are there only some time after what they tell of.
    private static final List<String> LATE =
            List.of(
                    "gpu_scheduler_tenant_waiting{",
                    "gpu_scheduler_alert_deliveries_total{",
                    "gpu_scheduler_eta_coverage_ratio ",
                    "gpu_scheduler_pool_slo_ratio{",
                    "gpu_scheduler_shadow_wait_mean_seconds ");

    @TempDir static Path dataDir;

    private static String text = "";
    private static int sequence;
    private static Scrape scrape = new Scrape("");

    @BeforeAll
    static void work() {
        try (Running rest =
                Running.in(
                        dataDir,
                        Map.of(
                                "GPU_SCHEDULER_SCHEDULER_SHADOW_POLICY", "fair",
                                "GPU_SCHEDULER_LEARNING_OUTLOOK_SECONDS", "1",
                                "GPU_SCHEDULER_ALERTS_INTERVAL_SECONDS", "1",
                                "GPU_SCHEDULER_ALERTS_NODE_LOST_FOR_SECONDS", "0",
                                "GPU_SCHEDULER_ALERTS_WEBHOOKS",
                                        "{name: nobody, url: \"http://127.0.0.1:1/\"}"))) {
            var nodes = new FakeNodes(rest.server());
            refuseJobs(rest, nodes);
            startAfterAnEstimate(rest, nodes);
            loseAndHeat(rest, nodes);
            learn(rest);
            servePool(rest);
            for (String late : LATE) {
                Soon.that(
                        late,
                        () -> {
                            reportLoad(rest);
                            text = rest.get(rest.server().metricsUrl()).text();
                            return text.contains("\n" + late);
                        });
            }
        }
        scrape = new Scrape(text);
    }

    @AfterAll
    static void forget() {
        text = "";
    }

    /// A node refuses three jobs, which then start on another one; the scheduler cordons it.
    private static void refuseJobs(Running rest, FakeNodes nodes) {
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"a\"}");
        nodes.join("bad", 2).join("good", 8);
        var jobs = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            jobs.add(rest.submit(job(1)));
            nodes.refuse(jobs.getLast(), "no driver");
        }
        for (String id : jobs) {
            Soon.that(
                    "another start", () -> rest.job(id).path("state").asText().equals("scheduled"));
            nodes.run(id);
            nodes.end(id, 0);
        }
    }

    /// A job waits until there is an estimate of its start, and then starts.
    private static void startAfterAnEstimate(Running rest, FakeNodes nodes) {
        String holder = rest.submit(job(8));
        nodes.run(holder);
        String next = rest.submit(job(8));
        Soon.that("an estimate", () -> !rest.job(next).path("estimated_start").isNull());
        nodes.end(holder, 0);
        rest.submit(job(8));
    }

    private static void loseAndHeat(Running rest, FakeNodes nodes) {
        nodes.join("away", 4).silence("away");
        nodes.lose("away");
        var hot = new GpuCondition(Heat.HOT, true, "");
        rest.server().commandGateway().ask(new Report.GpuChanged(new NodeId("good"), 0, hot));
    }

    private static void learn(Running rest) {
        String kind = "{\"job_type\":\"train\",\"colocated_job_types\":[],";
        String observed = "\"gpu_type\":\"A100-80GB\",\"measured_runtime_s\":73.4}";
        assertThat(rest.post("/v1/observe", kind + observed).status()).isLessThan(300);
        String question = "\"features\":{},\"candidate_gpu_types\":[\"A100-80GB\"]}";
        assertThat(rest.post("/v1/score", kind + question).status()).isEqualTo(200);
    }

    private static void servePool(Running rest) {
        String pool =
                """
                {"replica":{"gpu_count":0,"command":["serve"]},"min_replicas":0,
                 "slo":{"ttft_ms":500},"cost":{"max_cost_per_hour":5}}
                """;
        assertThat(rest.send("PUT", "/api/v1/pools/chat", pool, Map.of()).status()).isEqualTo(201);
        assertThat(rest.post("/api/v1/pools/chat/scale", "{\"replicas\":1}").status())
                .isEqualTo(200);
    }

    private static void reportLoad(Running rest) {
        sequence++;
        String load =
                "{\"source\":\"gw\",\"sequence\":%d,\"over_ms\":1000,\"answered\":9,\"within_slo\":8,\"ttft_p95_ms\":90}"
                        .formatted(sequence);
        assertThat(rest.post("/api/v1/pools/chat/load", load).status()).isEqualTo(202);
    }

    private static String job(int gpus) {
        return "{\"tenant_id\":\"a\",\"gpu_count\":%d,\"max_runtime_minutes\":60}".formatted(gpus);
    }

    private record Used(String where, PromExpression expression, Set<String> shown) {}

    private static List<Used> used() {
        var all = new ArrayList<Used>();
        for (JsonNode rule : rules()) {
            all.add(
                    new Used(
                            "rule " + rule.get("alert").asText(),
                            PromExpression.of(rule.get("expr").asText()),
                            names(ANNOTATION, rule.get("annotations").toString())));
        }
        for (Dashboard dashboard : Dashboards.ALL) {
            JsonNode root = json(dashboard.text());
            for (JsonNode target :
                    root.findValues("targets").stream()
                            .flatMap(MonitoringFilesTest::items)
                            .toList()) {
                all.add(
                        new Used(
                                dashboard.name() + ": " + target.get("expr").asText(),
                                PromExpression.of(target.get("expr").asText()),
                                names(LEGEND, target.get("legendFormat").asText())));
            }
            for (JsonNode query : root.findValues("definition")) {
                String call = query.asText();
                String inner = call.substring(call.indexOf('(') + 1, call.lastIndexOf(','));
                String label = call.substring(call.lastIndexOf(',') + 1, call.length() - 1).strip();
                all.add(
                        new Used(
                                dashboard.name() + ": " + call,
                                PromExpression.of(inner),
                                Set.of(label)));
            }
        }
        return all;
    }

    private static Stream<JsonNode> items(JsonNode list) {
        var items = new ArrayList<JsonNode>();
        list.forEach(items::add);
        return items.stream();
    }

    private static Set<String> names(Pattern pattern, String text) {
        var names = new TreeSet<String>();
        var each = pattern.matcher(text);
        while (each.find()) {
            names.add(each.group(1));
        }
        return names;
    }

    private static List<JsonNode> rules() {
        try {
            var rules = new ArrayList<JsonNode>();
            JsonNode file = new YAMLMapper().readTree(PROMETHEUS.resolve("alerts.yml").toFile());
            file.get("groups").forEach(group -> group.get("rules").forEach(rules::add));
            return rules;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> missing() {
        var missing = new ArrayList<String>();
        for (Used one : used()) {
            scrape.missing(one.expression, one.shown).stream()
                    .forEach(what -> missing.add(what + " in " + one.where));
        }
        return missing;
    }

    @Test
    void everySeriesAndLabelOfRulesAndDashboardsIsServed() {
        assertThat(used()).hasSizeGreaterThan(50);
        assertThat(missing()).isEmpty();
    }

    @Test
    void thereIsARuleForEveryAlertOfTheScheduler() {
        var named = new HashSet<String>();
        rules().forEach(rule -> named.add(rule.get("alert").asText()));
        assertThat(named).containsAll(Stream.of(AlertName.values()).map(AlertName::shown).toList());
        for (JsonNode rule : rules()) {
            assertThat(rule.at("/labels/severity").asText()).isIn("info", "warning", "critical");
            assertThat(rule.at("/annotations/summary").asText()).isNotEmpty();
            assertThat(rule.at("/annotations/remedy").asText()).isNotEmpty();
        }
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTestsPass() {
        var rules = Promtool.run(PROMETHEUS, "", "check", "rules", "alerts.yml");
        assertThat(rules.code()).as(rules.output()).isZero();
        var config = Promtool.run(PROMETHEUS, "", "check", "config", "prometheus.yml");
        assertThat(config.code()).as(config.output()).isZero();
        var tests = Promtool.run(PROMETHEUS, "", "test", "rules", "alerts_test.yml");
        assertThat(tests.code()).as(tests.output()).isZero();
    }

    @Test
    void everyRuleHasATest() throws IOException {
        String tests = Files.readString(PROMETHEUS.resolve("alerts_test.yml"));
        for (JsonNode rule : rules()) {
            assertThat(tests).contains("alertname: " + rule.get("alert").asText() + "\n");
        }
    }

    @Test
    void promtoolAcceptsTheMetrics() {
        var checked = Promtool.run(PROMETHEUS, text, "check", "metrics");
        assertThat(checked.output().lines())
                .allMatch(line -> LINT_ALLOWED.contains(line.split(" ")[0]));
    }

    @Test
    void theGuideNamesEveryMetricOfTheProduct() throws IOException {
        String guide = Files.readString(Path.of("../docs/guide/monitoring.md"));
        for (String name : scrape.names()) {
            String family = name.replaceFirst("_(bucket|sum|count)$", "");
            if (name.startsWith("gpu_scheduler_") || name.startsWith("scheduler_")) {
                assertThat(guide).contains(Objects.requireNonNull(family));
            }
        }
    }
}
