package io.gpusched.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.model.Market;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

final class ConfigTest {
    /// For each key a value that is not its default.
    private static final Map<String, String> OTHERS =
            Map.ofEntries(
                    Map.entry("environment", "production"),
                    Map.entry("learning.predictions", "true"),
                    Map.entry("learning.planned_quantile", "0.9"),
                    Map.entry("learning.outlook_seconds", "60"),
                    Map.entry("data_dir", "elsewhere"),
                    Map.entry("scheduler.policy", "fifo"),
                    Map.entry("scheduler.scheduling_interval_ms", "250"),
                    Map.entry("scheduler.max_queue_size", "7"),
                    Map.entry("scheduler.max_payload_mb", "64"),
                    Map.entry("scheduler.max_tenant_payload_mb", "32"),
                    Map.entry("scheduler.enable_preemption", "false"),
                    Map.entry("scheduler.enable_gang_scheduling", "false"),
                    Map.entry("scheduler.enable_thermal_aware", "false"),
                    Map.entry("scheduler.thermal_threshold", "80.5"),
                    Map.entry("scheduler.default_priority", "5"),
                    Map.entry("scheduler.aging_points_per_minute", "0"),
                    Map.entry("scheduler.age_while_held", "true"),
                    Map.entry("scheduler.priority_caps.low", "10"),
                    Map.entry("scheduler.priority_caps.medium", "20"),
                    Map.entry("scheduler.priority_caps.high", "30"),
                    Map.entry("scheduler.priority_caps.critical", "40"),
                    Map.entry("scheduler.assumed_runtime_minutes", "60"),
                    Map.entry("scheduler.checkpoint_interval_minutes", "5"),
                    Map.entry("scheduler.fair_share.half_life_hours", "24"),
                    Map.entry("scheduler.fair_share.dynamic", "true"),
                    Map.entry("scheduler.idle.threshold_percent", "2.5"),
                    Map.entry("scheduler.idle.after_seconds", "60"),
                    Map.entry("scheduler.idle.reclaim", "true"),
                    Map.entry("scheduler.idle.grace_seconds", "0"),
                    Map.entry("scheduler.refusals.cordon_after", "0"),
                    Map.entry("scheduler.refusals.window_minutes", "5"),
                    Map.entry("scheduler.refusals.avoid_minutes", "0"),
                    Map.entry("scheduler.forgive_loss_after_minutes", "1440"),
                    Map.entry("scheduler.gpu_memory_quota", "per_gpu"),
                    Map.entry("scheduler.carbon.slack_hours", "6"),
                    Map.entry("scheduler.carbon.up_to_priority", "50"),
                    Map.entry("scheduler.shadow_policy", "fair"),
                    Map.entry("scheduler.fallback_policy", "fifo"),
                    Map.entry("scheduler.objective", "slowdown"),
                    Map.entry("scheduler.fallback.enabled", "false"),
                    Map.entry("scheduler.fallback.cycle_budget_ms", "200"),
                    Map.entry("scheduler.fallback.late_cycles", "7"),
                    Map.entry("scheduler.fallback.invalid_rankings", "3"),
                    Map.entry("scheduler.fallback.watch_objective", "false"),
                    Map.entry("scheduler.fallback.min_jobs", "100"),
                    Map.entry("scheduler.fallback.min_minutes", "5"),
                    Map.entry("scheduler.promotion.enabled", "true"),
                    Map.entry("scheduler.promotion.min_jobs", "1000"),
                    Map.entry("scheduler.promotion.min_hours", "48"),
                    Map.entry("scheduler.promotion.pause_hours", "72"),
                    Map.entry("scheduler.learned.model", "models/best.model"),
                    Map.entry("scheduler.learned.starvation_bound_minutes", "90"),
                    Map.entry("plugins_dir", "elsewhere"),
                    Map.entry("markets", "{label: type, value: p5, dollars_per_gpu_hour: 4.8}"),
                    Map.entry("scheduler.placement", "five-term"),
                    Map.entry("scheduler.plugins", "{name: quiet, weight: 2.5}"),
                    Map.entry("scoring.max_nodes_to_score", "20"),
                    Map.entry("scoring.availability", "1.5"),
                    Map.entry("scoring.topology", "2.5"),
                    Map.entry("scoring.model_cache", "3.5"),
                    Map.entry("scoring.cost", "4.5"),
                    Map.entry("scoring.data_locality", "5.5"),
                    Map.entry("topology.levels", "hall=example.com/hall, rack=rack"),
                    Map.entry("learning.lambda_uncertainty", "0.5"),
                    Map.entry("learning.beta_exploration", "0.6"),
                    Map.entry("learning.gamma_interference", "0.4"),
                    Map.entry("learning.exploration_cap", "0.1"),
                    Map.entry("learning.enable_interference", "true"),
                    Map.entry("learning.tau_squared", "0.2"),
                    Map.entry("learning.enable_sinkhorn", "true"),
                    Map.entry("learning.retention_observations", "50"),
                    Map.entry("database.driver", "postgres"),
                    Map.entry("database.path", "elsewhere"),
                    Map.entry("database.host", "db.example"),
                    Map.entry("database.port", "5433"),
                    Map.entry("database.user", "somebody"),
                    Map.entry("database.password", "gpu123"),
                    Map.entry("database.database", "jobs"),
                    Map.entry("database.sslmode", "require"),
                    Map.entry("database.max_open_conns", "3"),
                    Map.entry("database.snapshot_events", "2000"),
                    Map.entry("retention.journal_days", "90"),
                    Map.entry("retention.jobs_days", "365"),
                    Map.entry("retention.lost_nodes_days", "7"),
                    Map.entry("retention.archive", "/archive"),
                    Map.entry("agent.heartbeat_interval_ms", "100"),
                    Map.entry("agent.metrics_interval_ms", "200"),
                    Map.entry("agent.lease_seconds", "30"),
                    Map.entry("api.host", "localhost"),
                    Map.entry("api.http_port", "18080"),
                    Map.entry("api.grpc_port", "19090"),
                    Map.entry("api.enable_tls", "true"),
                    Map.entry("api.tls_cert_file", "cert.pem"),
                    Map.entry("api.tls_key_file", "key.pem"),
                    Map.entry("auth.enabled", "true"),
                    Map.entry("auth.tokens_dir", "/run/tokens"),
                    Map.entry("api.cors_enabled", "false"),
                    Map.entry("api.cors_origins", "https://a.example"),
                    Map.entry("api.allowed_hosts", "gpus.example"),
                    Map.entry("api.rate_limit_rps", "9"),
                    Map.entry("api.max_request_kb", "64"),
                    Map.entry("api.tenant_kafka_bindings", "true"),
                    Map.entry("metrics.enabled", "false"),
                    Map.entry("metrics.port", "19091"),
                    Map.entry("metrics.path", "/m"),
                    Map.entry("metrics.public", "true"),
                    Map.entry("alerts.enabled", "false"),
                    Map.entry("alerts.interval_seconds", "30"),
                    Map.entry("alerts.resolve_seconds", "0"),
                    Map.entry("alerts.allow_http", "true"),
                    Map.entry("alerts.webhooks", "{name: ops, url: https://example.org/hook}"),
                    Map.entry("alerts.pending_too_long.enabled", "false"),
                    Map.entry("alerts.pending_too_long.for_seconds", "7"),
                    Map.entry("alerts.pending_too_long.minutes", "30"),
                    Map.entry("alerts.starvation.enabled", "false"),
                    Map.entry("alerts.starvation.for_seconds", "7"),
                    Map.entry("alerts.starvation.factor", "4.5"),
                    Map.entry("alerts.starvation.min_minutes", "15"),
                    Map.entry("alerts.preemption_rate.enabled", "false"),
                    Map.entry("alerts.preemption_rate.for_seconds", "7"),
                    Map.entry("alerts.preemption_rate.ratio", "0.25"),
                    Map.entry("alerts.preemption_rate.min_preemptions", "3"),
                    Map.entry("alerts.fragmentation.enabled", "false"),
                    Map.entry("alerts.fragmentation.for_seconds", "7"),
                    Map.entry("alerts.fragmentation.ratio", "0.25"),
                    Map.entry("alerts.node_lost.enabled", "false"),
                    Map.entry("alerts.node_lost.for_seconds", "7"),
                    Map.entry("alerts.black_hole_node.enabled", "false"),
                    Map.entry("alerts.black_hole_node.for_seconds", "7"),
                    Map.entry("alerts.black_hole_node.refusals", "2"),
                    Map.entry("alerts.hot_gpus.enabled", "false"),
                    Map.entry("alerts.hot_gpus.for_seconds", "7"),
                    Map.entry("alerts.hot_gpus.gpus", "2"),
                    Map.entry("alerts.journal_lag.enabled", "false"),
                    Map.entry("alerts.journal_lag.for_seconds", "7"),
                    Map.entry("alerts.journal_lag.append_ms", "50"),
                    Map.entry("alerts.exploration_ratio.enabled", "false"),
                    Map.entry("alerts.exploration_ratio.for_seconds", "7"),
                    Map.entry("alerts.exploration_ratio.margin", "0.05"),
                    Map.entry("alerts.low_certainty.enabled", "false"),
                    Map.entry("alerts.low_certainty.for_seconds", "7"),
                    Map.entry("alerts.low_certainty.certainty", "0.25"),
                    Map.entry("alerts.forecast_coverage.enabled", "false"),
                    Map.entry("alerts.forecast_coverage.for_seconds", "7"),
                    Map.entry("alerts.forecast_coverage.ratio", "0.75"),
                    Map.entry("alerts.pool_slo_at_risk.enabled", "false"),
                    Map.entry("alerts.pool_slo_at_risk.for_seconds", "7"),
                    Map.entry("alerts.pool_waiting.enabled", "false"),
                    Map.entry("alerts.pool_waiting.for_seconds", "7"),
                    Map.entry("alerts.pool_load_stale.enabled", "false"),
                    Map.entry("alerts.pool_load_stale.for_seconds", "7"),
                    Map.entry("alerts.pool_crash_loop.enabled", "false"),
                    Map.entry("alerts.pool_crash_loop.for_seconds", "7"),
                    Map.entry("alerts.pool_cost_limit.enabled", "false"),
                    Map.entry("alerts.pool_cost_limit.for_seconds", "7"),
                    Map.entry("alerts.deadline_at_risk.enabled", "false"),
                    Map.entry("alerts.deadline_at_risk.for_seconds", "7"),
                    Map.entry("log.level", "debug"),
                    Map.entry("log.format", "json"));

    private static final Map<String, String> WITH_TLS_FILES =
            Map.of(
                    "GPU_SCHEDULER_API_TLS_CERT_FILE", "c.pem",
                    "GPU_SCHEDULER_API_TLS_KEY_FILE", "k.pem");

    @TempDir Path temp;

    static List<Setting<?>> keys() {
        return Config.KEYS;
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyHasAnotherValueASentenceAndAVariable(Setting<?> setting) {
        String other = OTHERS.getOrDefault(setting.path(), "");
        assertThat(other).as("a value for %s in this test", setting.path()).isNotEmpty();
        assertThat(setting.sentence()).endsWith(".");
        assertThat(setting.form().read(other)).isNotEqualTo(setting.usual());

        var environment = new HashMap<>(WITH_TLS_FILES);
        environment.put(setting.variable(), other);
        String shown = setting.secret() ? "(hidden)" : other;
        assertThat(read(environment).written())
                .contains(setting.path().substring(setting.path().indexOf('.') + 1) + ": ")
                .containsPattern("(?m)" + quoted(shown) + " *# environment variable");
    }

    private static String quoted(String text) {
        return "[\\[\"]?" + Pattern.quote(text) + "[\\]\"]?";
    }

    @Test
    void theShippedFileHasEveryKeyAtItsDefaultAndChangesNothing() throws IOException {
        Path shipped = Path.of("../config/scheduler-config.yaml");
        String expected = HEADER + ConfigWriter.shipped();
        if (Boolean.getBoolean("update")) {
            Files.writeString(shipped, expected);
        }
        assertThat(shipped).content().as("update with -Dupdate=true").isEqualTo(expected);

        Config config = ConfigReader.read(Arguments.of("--config", shipped.toString()), Map.of());
        assertThat(config)
                .usingRecursiveComparison()
                .ignoringFields("written")
                .isEqualTo(read(Map.of()));
    }

    private static final String HEADER =
            """
            # Settings of gpu-scheduler: bin/scheduler --config config/scheduler-config.yaml
            #
            # Every setting can be given as an environment variable too, by one rule: section and key
            # behind GPU_SCHEDULER_, so api.http_port is GPU_SCHEDULER_API_HTTP_PORT. A flag wins over
            # the environment, the environment over this file. bin/scheduler --check-config prints what
            # is in force. The journal is in SQLite files unless a line of `database` (or its variable)
            # says where a PostgreSQL server is.
            """;

    @Test
    void aFlagWinsOverTheEnvironmentAndThatOverTheFile() throws IOException {
        Path file = file("api:\n  http_port: 1\n  grpc_port: 2\nmetrics:\n  port: 3\n");
        Config config =
                ConfigReader.read(
                        Arguments.of("--config=" + file, "--http-port", "7"),
                        Map.of(
                                "GPU_SCHEDULER_API_HTTP_PORT", "5",
                                "gpu_scheduler_api_grpc_port", "6"));

        assertThat(config.api().httpPort()).isEqualTo(7);
        assertThat(config.api().grpcPort()).isEqualTo(6);
        assertThat(config.metrics().port()).isEqualTo(3);
    }

    @Test
    void theShortVariablesCountLessThanTheLongOnes() {
        assertThat(read(Map.of("SCHEDULER_PORT", "81", "SCHEDULER_LOG_LEVEL", "DEBUG")))
                .satisfies(config -> assertThat(config.api().httpPort()).isEqualTo(81))
                .satisfies(config -> assertThat(config.log().level()).isEqualTo("debug"));
        assertThat(
                        read(Map.of(
                                        "SCHEDULER_PORT", "81",
                                        "GPU_SCHEDULER_API_HTTP_PORT", "82"))
                                .api()
                                .httpPort())
                .isEqualTo(82);
        assertThat(read(Map.of("SCHEDULER_THERMAL_THRESHOLD", "70")).scheduler().thermalThreshold())
                .isEqualTo(70);
    }

    @Test
    void anUnknownKeyIsAnErrorThatNamesTheNearest() throws IOException {
        Path file = file("api:\n  htp_port: 1\n");
        assertThatThrownBy(() -> ConfigReader.read(Arguments.of("--config", "" + file), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("api.htp_port")
                .hasMessageContaining("nearest is api.http_port");
    }

    @Test
    void anEmptySectionMustBeOneThatThereIs() throws IOException {
        assertThatThrownBy(() -> readFile("api:\ndatabse:\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("no section or setting databse")
                .hasMessageContaining("nearest is database");
        assertThatThrownBy(() -> readFile("api:\n  htp_port:\n"))
                .hasMessageContaining("nearest is api.http_port");
        assertThatThrownBy(() -> readFile("scheduler:\n  fairshare: {}\n"))
                .hasMessageContaining("nearest is scheduler.fair_share");
        assertThat(readFile("database:\napi:\n  http_port:\nredis:\nmetrics: {}\n").api())
                .isEqualTo(read(Map.of()).api());
    }

    @Test
    void aFileShapedLikeTheOriginalOnesIsUsedAsItIs() throws IOException {
        Path file =
                file(
                        """
                        environment: development
                        scheduler:
                          scheduling_interval_ms: 1000
                          max_queue_size: 10000
                        database:
                          host: localhost
                          port: 5433
                          user: postgres
                          password: "gpu123"
                          database: gpu_scheduler
                          sslmode: disable
                          max_idle_conns: 5
                        redis:
                          host: localhost
                        """);
        Config config = ConfigReader.read(Arguments.of("--config", file.toString()), Map.of());

        assertThat(config.database().postgres()).isTrue();
        assertThat(config.database().port()).isEqualTo(5433);
        assertThat(config.written()).doesNotContain("gpu123");
        assertThat(config.remarks())
                .containsExactly(
                        "database.max_idle_conns is known but has no effect here",
                        "redis.host is known but has no effect here");
    }

    @Test
    void namingAPostgresServerByVariableMeansPostgres() {
        assertThat(read(Map.of("GPU_SCHEDULER_DATABASE_PORT", "5433")).database().postgres())
                .isTrue();
        assertThat(
                        read(Map.of(
                                        "GPU_SCHEDULER_DATABASE_PORT", "5433",
                                        "GPU_SCHEDULER_DATABASE_DRIVER", "sqlite"))
                                .database()
                                .postgres())
                .isFalse();
    }

    @Test
    void listeningBeyondLoopbackNeedsTokensAndTls() {
        assertThatThrownBy(() -> read(Map.of("GPU_SCHEDULER_API_HOST", "0.0.0.0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("auth.enabled")
                .hasMessageContaining("api.enable_tls");
        assertThatThrownBy(
                        () ->
                                read(
                                        Map.of(
                                                "GPU_SCHEDULER_API_HOST", "::",
                                                "GPU_SCHEDULER_AUTH_ENABLED", "true")))
                .isInstanceOf(ConfigException.class);
        var open = new HashMap<>(WITH_TLS_FILES);
        open.put("GPU_SCHEDULER_API_HOST", "0.0.0.0");
        open.put("GPU_SCHEDULER_AUTH_ENABLED", "true");
        open.put("GPU_SCHEDULER_API_ENABLE_TLS", "true");
        assertThat(read(open).api().rateLimit()).isEqualTo(100);
    }

    @Test
    void loopbackIsRecognisedAndNothingElse() {
        assertThat(List.of("127.0.0.1", "127.9.9.9", "::1", "localhost")).allMatch(Loopback::is);
        assertThat(List.of("0.0.0.0", "::", "10.0.0.1", "localhost.example", "example"))
                .noneMatch(Loopback::is);
    }

    @Test
    void theErrorOfAWrongValueStatesWhereItIsAndWhatWasExpected() throws IOException {
        Path file = file("api:\n  http_port: eighty\n");
        assertThatThrownBy(() -> ConfigReader.read(Arguments.of("--config", "" + file), Map.of()))
                .hasMessageContaining("line 2 of")
                .hasMessageContaining("whole number from 0 to 65535")
                .hasMessageContaining("eighty");
        assertThatThrownBy(() -> read(Map.of("GPU_SCHEDULER_SCHEDULER_THERMAL_THRESHOLD", "NaN")))
                .hasMessageContaining("found \"NaN\"");
        assertThatThrownBy(() -> read(Map.of("GPU_SCHEDULER_METRICS_ENABLED", "perhaps")))
                .hasMessageContaining("true or false");
    }

    @Test
    void pricesAndPluginsAreListsWithFields() throws IOException {
        Path file =
                file(
                        """
                        markets:
                          - label: node.kubernetes.io/instance-type
                            value: p5.48xlarge
                            dollars_per_gpu_hour: 6.88
                          - {label: karpenter.sh/capacity-type, value: spot, dollars_per_gpu_hour: 2.6, spot: true}
                        scheduler:
                          placement: five-term
                          plugins: [no-mondays, {name: quiet, weight: 5}]
                        """);
        PlacementSection section =
                ConfigReader.read(Arguments.of("--config", "" + file), Map.of()).placement();
        assertThat(section.markets())
                .containsExactly(
                        new Market(
                                "node.kubernetes.io/instance-type",
                                "p5.48xlarge",
                                6_880_000,
                                0,
                                false),
                        new Market("karpenter.sh/capacity-type", "spot", 2_600_000, 0, true));
        assertThat(section.plugins())
                .containsExactly(new PluginSetting("no-mondays", 1), new PluginSetting("quiet", 5));
    }

    @Test
    void wrongWeightsPlacementsAndPricesAreRefusedWithTheNearestThatIsRight() {
        assertThatThrownBy(() -> read(Map.of("GPU_SCHEDULER_SCHEDULER_PLACEMENT", "five-terms")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("scheduler.placement")
                .hasMessageContaining("nearest is five-term");
        assertThatThrownBy(() -> read(Map.of("GPU_SCHEDULER_SCORING_COST", "-3")))
                .hasMessageContaining("scoring.cost")
                .hasMessageContaining("nearest is 0");
        var zeros = new HashMap<String, String>();
        for (String term :
                List.of("AVAILABILITY", "TOPOLOGY", "MODEL_CACHE", "COST", "DATA_LOCALITY")) {
            zeros.put("GPU_SCHEDULER_SCORING_" + term, "0");
        }
        assertThatThrownBy(() -> read(zeros))
                .hasMessageContaining("scoring:")
                .hasMessageContaining("above 0")
                .hasMessageContaining("availability 30");
        assertThatThrownBy(
                        () ->
                                read(
                                        Map.of(
                                                "GPU_SCHEDULER_MARKETS",
                                                "{label: t, value: x, dollars_per_gpu_hour: -1}")))
                .hasMessageContaining("markets")
                .hasMessageContaining("nearest is 0");
        assertThatThrownBy(() -> read(Map.of("GPU_SCHEDULER_SCHEDULER_PLUGINS", "{nam: quiet}")))
                .hasMessageContaining("nearest is name");
    }

    @Test
    void aBrokenFileIsRefusedWithItsLine() throws IOException {
        assertThatThrownBy(() -> readFile("api:\n  http_port: 1\n  http_port: 2\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("http_port");
        assertThatThrownBy(() -> readFile("api: [\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("not valid YAML");
        assertThatThrownBy(() -> readFile("just a word"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("single value");
        assertThatThrownBy(() -> ConfigReader.read(Arguments.of("--config", "nowhere"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void aListIsWrittenAsYamlOrWithCommas() throws IOException {
        assertThat(
                        readFile("api:\n  cors_origins: [\"https://a\", https://b]\n")
                                .api()
                                .corsOrigins())
                .containsExactly("https://a", "https://b");
        assertThat(read(Map.of("GPU_SCHEDULER_API_CORS_ORIGINS", "https://a, https://b")).api())
                .satisfies(
                        api ->
                                assertThat(api.corsOrigins())
                                        .containsExactly("https://a", "https://b"));
    }

    @Test
    void wrongFlagsAreRefusedWithTheNearestRightOne() {
        for (String near : List.of("--htp-port", "--prot", "--port")) {
            assertThatThrownBy(() -> Arguments.of(near, "8080"))
                    .hasMessageContaining(near)
                    .hasMessageContaining("nearest is --http-port");
        }
        assertThatThrownBy(() -> Arguments.of("--dmo")).hasMessageContaining("nearest is --demo");
        assertThatThrownBy(() -> Arguments.of("--quite-another"))
                .hasMessage("there is no option --quite-another. bin/scheduler --help lists all");
        assertThatThrownBy(() -> Arguments.of("--http-port"))
                .hasMessageContaining("expected a value");
        assertThat(Arguments.of("--check-config", "--help"))
                .isEqualTo(new Arguments(null, Map.of(), true, true, false, null, 0, null, null));
    }

    private Config readFile(String text) throws IOException {
        return ConfigReader.read(Arguments.of("--config", file(text).toString()), Map.of());
    }

    private Path file(String text) throws IOException {
        return Files.writeString(temp.resolve("config.yaml"), text);
    }

    private static Config read(Map<String, String> environment) {
        return ConfigReader.read(Arguments.of(), environment);
    }
}
