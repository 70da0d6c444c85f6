package io.gpusched.wire.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

final class PoolRequestTest {
    private static final JobRequest.Context CONTEXT = new JobRequest.Context(100, 8, true);

    private static final String WHOLE =
            """
            {"name": "chat", "tenant_id": "research", "model": "llama-8b",
             "replica": {"image": "vllm", "command": ["serve", "--x"], "args": ["a"],
               "environment": {"HF_HOME": "/models"}, "gpu_count": 4, "gang_scheduling": true,
               "tasks": 2, "gpu_memory_mb": 40000, "cpu_cores": 7, "memory_mb": 64000,
               "gpu_model": ["A100-80GB", "H100"], "gpu_locality": "nvlink",
               "gpu_min_bandwidth": "100Gi", "priority": 500, "grace_seconds": 20,
               "node_selector": {"zone": "a"}, "near": ["rack"],
               "tolerations": [{"key": "serving", "effect": "NoSchedule", "value": "x"}],
               "labels": {"team": "chat"}},
             "min_replicas": 2, "max_replicas": 9, "warm_percent": 25,
             "slo": {"ttft_ms": 1000, "itl_ms": 75, "percent": 99.5},
             "scaling": {"law": "slo",
               "targets": [{"metric": "tokens-in-queue", "target": 500.5, "window_seconds": 30}],
               "replica_tokens_per_second": 1200,
               "queue": {"prefetch": 10, "throughput": 0.5, "max_lag": 100},
               "schedules": [{"name": "day", "days": "mon-fri", "from": "08:00", "to": "18:00",
                 "replicas": 3}, {"cron": "30 22 * * 0,6", "to": "02:00", "replicas": 4}],
               "scale_up": {"stabilization_seconds": 3, "select": "min",
                 "steps": [{"percent": 50, "period_seconds": 60}]},
               "scale_down": {"select": "disabled"},
               "cooldown_seconds": "10m", "interval_seconds": 7, "stale_after_seconds": 40},
             "cost": {"max_cost_per_hour": 12.25, "slo_headroom_ms": 100, "spot_percent": 80,
               "spot_types": ["p4d"], "max_interruptions": 3, "interruption_window_seconds": 7200,
               "on_interruption": "migrate-to-on-demand", "fallback_model": "tiny",
               "fallback_on_cost": true, "larger_model": "llama-70b"},
             "carbon": {"preferred_regions": ["eu-north-1"], "max_carbon_intensity": 100,
               "clean_hours": "22:00-06:00"},
             "locality": {"near": ["weaviate-0"], "weight": "high", "apart": ["training"],
               "cache_hit_weight": 0.3, "min_cached_replicas": 2, "preload_label": "pool=gpu"},
             "serving": {"port": 9000, "health_path": "/ok", "metrics_path": "", "drain_seconds": 45,
               "session_header": "x-user", "session_ttl_seconds": 60, "load_seconds": 120}}
            """;

    private final PoolRequest requests = new PoolRequest();

    @Test
    void aShortDocumentHasUsualValues() {
        Pool pool = read("{\"replica\": {\"command\": [\"serve\"]}}");
        assertThat(pool.id().name()).isEqualTo("chat");
        assertThat(pool.tenant()).isEqualTo(new TenantId("default"));
        assertThat(pool.replica().name()).isEqualTo("chat");
        assertThat(pool.replica().kind()).isEqualTo("chat");
        assertThat(pool.min()).isEqualTo(1);
        assertThat(pool.max()).isEqualTo(4);
        assertThat(pool.slo()).isEqualTo(Slo.NONE);
        assertThat(pool.scaling().law()).isEqualTo("static");
        assertThat(pool.serving()).isEqualTo(ServingRules.NONE);
    }

    @Test
    void everyFieldIsRead() {
        var parsed = (Parsed.Valid<Pool, Problem>) parsed(WHOLE);
        assertThat(parsed.warnings()).isEmpty();
        Pool pool = parsed.value();
        assertThat(pool.tenant()).isEqualTo(new TenantId("research"));
        assertThat(pool.replica().roles().getFirst().shape().gpus())
                .isEqualTo(new GpuRequest.Whole(2, 40_000, Locality.NVLINK, 100));
        assertThat(pool.replica().labels()).isEqualTo(Labels.of("team", "chat"));
        assertThat(pool.warm()).isEqualTo(2);
        assertThat(pool.slo()).isEqualTo(new Slo(1000, 75, 0, 995));
        var scaling = pool.scaling();
        assertThat(scaling.targets())
                .containsExactly(
                        new MetricTarget(
                                PoolMetric.TOKENS_IN_QUEUE, 500_500, Duration.ofSeconds(30)));
        assertThat(scaling.queue()).isEqualTo(new QueueRule(10, 500, 100));
        assertThat(scaling.schedules())
                .containsExactly(
                        new ScheduledSize("day", 0b001_1111, 480, 600, 3),
                        new ScheduledSize("schedule-2", 0b110_0000, 1350, 210, 4));
        assertThat(scaling.up())
                .isEqualTo(
                        new ScaleBehavior(
                                Duration.ofSeconds(3),
                                ScaleBehavior.Select.SMALLEST,
                                List.of(new ScaleBehavior.Step(true, 50, Duration.ofSeconds(60)))));
        assertThat(scaling.down().select()).isEqualTo(ScaleBehavior.Select.DISABLED);
        assertThat(scaling.cooldown()).isEqualTo(Duration.ofMinutes(10));
        assertThat(pool.cost().maxMicroDollarsPerHour()).isEqualTo(12_250_000);
        assertThat(pool.cost().migrate()).isTrue();
        assertThat(pool.carbon().cleanFromMinute()).isEqualTo(22 * 60);
        assertThat(pool.carbon().cleanMinutes()).isEqualTo(8 * 60);
        assertThat(pool.locality().weightPercent()).isEqualTo(60);
        assertThat(pool.serving().affinityHeader()).isEqualTo("x-user");
    }

    @Test
    void theDocumentOfAPoolReadsAsTheSamePool() {
        Pool pool = read(WHOLE);
        assertThat(valid(requests.read(PoolDocument.of(pool), "", CONTEXT))).isEqualTo(pool);
        Pool plain = read("{}");
        assertThat(valid(requests.read(PoolDocument.of(plain), "", CONTEXT))).isEqualTo(plain);
        Pool sliced = read("{\"replica\": {\"gpu_count\": 2, \"mig_profile\": \"1g.5gb\"}}");
        assertThat(valid(requests.read(PoolDocument.of(sliced), "", CONTEXT))).isEqualTo(sliced);
    }

    @Test
    void aPatchChangesOnlyWhatItNames() {
        Pool before = read(WHOLE);
        Pool after =
                valid(
                        requests.change(
                                before,
                                tree(
                                        """
                                        {"max_replicas": 12, "slo": {"ttft_ms": 700},
                                         "scaling": {"queue": null}, "locality": null}
                                        """),
                                CONTEXT));
        assertThat(after.max()).isEqualTo(12);
        assertThat(after.min()).isEqualTo(2);
        assertThat(after.slo()).isEqualTo(new Slo(700, 75, 0, 995));
        assertThat(after.scaling().queue()).isNull();
        assertThat(after.scaling().targets()).isEqualTo(before.scaling().targets());
        assertThat(after.locality().near()).isEmpty();
        assertThat(after.replica()).isEqualTo(before.replica());
    }

    @Test
    void numbersMayBeTexts() {
        Pool pool =
                read(
                        """
                        {"min_replicas": "2", "slo": {"ttft_ms": "800.0"},
                         "cost": {"max_cost_per_hour": "7.5"}, "serving": {"drain_seconds": "9"}}
                        """);
        assertThat(pool.min()).isEqualTo(2);
        assertThat(pool.slo().firstTokenMillis()).isEqualTo(800);
        assertThat(pool.cost().maxMicroDollarsPerHour()).isEqualTo(7_500_000);
        assertThat(pool.serving().drain()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void unknownFieldsAreWarnedAboutWithASuggestion() {
        var parsed =
                (Parsed.Valid<Pool, Problem>)
                        parsed(
                                """
                                {"max_replica": 3, "scaling": {"cooldwon_seconds": 1},
                                 "replica": {"gpu_cuont": 1, "script": "serve"}}
                                """);
        assertThat(parsed.warnings())
                .containsExactlyInAnyOrder(
                        "replica: gpu_cuont is not known and was ignored; did you mean gpu_count?",
                        "scaling.cooldwon_seconds is not known and was ignored; did you mean"
                                + " cooldown_seconds?",
                        "max_replica is not known and was ignored; did you mean max_replicas?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'min_replicas': 5, 'max_replicas': 2} | min_replicas",
                "{'max_replicas': 0} | max_replicas",
                "{'min_replicas': -1} | min_replicas",
                "{'name': 'other'} | name",
                "{'slo': {'ttft_ms': 0}} | slo.ttft_ms",
                "{'slo': {'percent': 99}} | slo.percent",
                "{'slo': {'ttft_ms': 5, 'percent': 101}} | slo.percent",
                "{'scaling': {'law': 'slo'}} | scaling.law",
                "{'scaling': {'law': 'targets'}} | scaling.targets",
                "{'scaling': {'law': 'queue'}} | scaling.queue",
                "{'scaling': {'targets': [{'metric': 'ttft', 'target': 1}]}} |"
                        + " scaling.targets[0].metric",
                "{'scaling': {'targets': [{'metric': 'queue-depth'}]}} | scaling.targets[0].target",
                "{'scaling': {'targets': [{'metric': 'queue-depth', 'target': 0}]}} |"
                        + " scaling.targets[0].target",
                "{'scaling': {'interval_seconds': 0}} | scaling.interval_seconds",
                "{'scaling': {'scale_up': {'steps': [{'period_seconds': 5}]}}} |"
                        + " scaling.scale_up.steps[0].percent",
                "{'scaling': {'scale_up': {'select': 'most'}}} | scaling.scale_up.select",
                "{'scaling': {'schedules': [{'from': '25:00', 'replicas': 1}]}} |"
                        + " scaling.schedules[0].from",
                "{'scaling': {'schedules': [{'days': 'xyz', 'replicas': 1}]}} |"
                        + " scaling.schedules[0].days",
                "{'scaling': {'schedules': [{'cron': '* * * * *', 'replicas': 1}]}} |"
                        + " scaling.schedules[0].cron",
                "{'scaling': {'schedules': [{'days': 'mon'}]}} | scaling.schedules[0].replicas",
                "{'cost': {'spot_percent': 120}} | cost.spot_percent",
                "{'cost': {'max_interruptions': 51}} | cost.max_interruptions",
                "{'cost': {'on_interruption': 'panic'}} | cost.on_interruption",
                "{'cost': {'fallback_on_cost': true}} | cost.fallback_model",
                "{'carbon': {'clean_hours': 'noon'}} | carbon.clean_hours",
                "{'locality': {'weight': 'huge'}} | locality.weight",
                "{'locality': {'preload_label': 'x'}} | locality.preload_label",
                "{'serving': {'port': 65535, 'health_path': '/'}} | serving.port",
                "{'serving': {'health_path': 'ok'}} | serving.health_path",
                "{'replica': 5} | replica",
                "{'replica': {'gpu_count': -1}} | replica.gpu_count",
                "{'tenant_id': ''} | tenant_id"
            })
    void aWrongValueIsNamedWithAWayOut(String document, String field) {
        var parsed = parsed(document.replace('\'', '"'));
        assertThat(parsed).isInstanceOf(Parsed.Invalid.class);
        var problems = ((Parsed.Invalid<Pool, Problem>) parsed).problems();
        assertThat(problems).extracting(Problem::field).contains(field);
        assertThat(problems).allSatisfy(each -> assertThat(each.hint()).isNotEmpty());
    }

    @Test
    void cleanHoursFromMidnightToMidnightAreTheWholeDay() {
        Pool pool = read("{\"carbon\": {\"clean_hours\": \"00:00-24:00\"}}");
        assertThat(pool.carbon().cleanFromMinute()).isZero();
        assertThat(pool.carbon().cleanMinutes()).isEqualTo(1_440);
        assertThat(valid(requests.read(PoolDocument.of(pool), "", CONTEXT))).isEqualTo(pool);
    }

    /// The figures in the documents are measured with these rules.
    @Test
    void aPoolWithTheLawSloHasTheRulesThatTheLabMeasures() {
        assertThat(read("{'slo': {'ttft_ms': 1000}}".replace('\'', '"')).scaling())
                .isEqualTo(ScalingRules.slo());
        assertThat(
                        read("""
                        {"slo": {"ttft_ms": 1000},
                         "scaling": {"cooldown_seconds": 300}}
                        """)
                                .scaling())
                .isEqualTo(ScalingRules.slo());
        assertThat(read("{}").scaling()).isEqualTo(ScalingRules.of("static"));
    }

    @Test
    void aScheduleWithoutAnEndLastsUntilTheNext() {
        Pool pool =
                read(
                        """
                        {"scaling": {"schedules": [{"cron": "0 8 * * 1-5", "replicas": 5},
                         {"cron": "0 20 * * *", "replicas": 1}]}}
                        """);
        assertThat(pool.scaling().schedules())
                .extracting(ScheduledSize::minutes)
                .containsExactly(720, 720);
    }

    @Test
    void aScheduleWithoutAnEndIsNotEndedByOneOfOtherDays() {
        Pool pool =
                read(
                        """
                        {"scaling": {"schedules": [
                         {"days": "mon-fri", "from": "08:00", "replicas": 10},
                         {"days": "sat-sun", "from": "10:00", "replicas": 2},
                         {"days": "fri", "from": "22:00", "replicas": 4},
                         {"days": "sat", "from": "06:00", "replicas": 1}]}}
                        """);
        assertThat(pool.scaling().schedules())
                .extracting(ScheduledSize::minutes)
                .as("until 22:00, 08:00 of Monday, 06:00 of Saturday, and 10:00")
                .containsExactly(14 * 60, 22 * 60, 8 * 60, 4 * 60);
    }

    @Test
    void aReplicaWithNothingToRunIsWarnedAbout() {
        var parsed = (Parsed.Valid<Pool, Problem>) parsed("{\"replica\": {\"gpu_count\": 1}}");
        assertThat(parsed.warnings())
                .containsExactly(
                        "replica has nothing to run and ends at once; name its script, command or"
                                + " image");
    }

    /// Larger nodes may join as long as the pool lasts; a job of this size is refused.
    @Test
    void aReplicaMayAskForMoreGpusThanAPresentNodeHas() {
        Pool pool =
                read(
                        """
                        {"replica": {"gpu_count": 16, "gpu_locality": "same-node",
                                     "script": "serve"}}
                        """);
        assertThat(pool.replica().roles().getFirst().shape().gpus())
                .isEqualTo(new GpuRequest.Whole(16, 0, Locality.SAME_NODE, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "-x", "x/y", "ünder"})
    void aNameThatCannotBeOneIsRefused(String name) {
        var parsed =
                requests.read(tree("{\"name\": \"" + name + "\", \"replica\": {}}"), "", CONTEXT);
        assertThat(((Parsed.Invalid<Pool, Problem>) parsed).problems())
                .extracting(Problem::field)
                .contains("name");
    }

    private Pool read(String json) {
        return valid(parsed(json));
    }

    private Parsed<Pool, Problem> parsed(String json) {
        return requests.read(tree(json), "chat", CONTEXT);
    }

    private static Pool valid(Parsed<Pool, Problem> parsed) {
        assertThat(parsed).isInstanceOf(Parsed.Valid.class);
        return ((Parsed.Valid<Pool, Problem>) parsed).value();
    }

    private static JsonTree.Mapping tree(String json) {
        return new JsonReader(1 << 20).readObject(json.getBytes(StandardCharsets.UTF_8));
    }
}
