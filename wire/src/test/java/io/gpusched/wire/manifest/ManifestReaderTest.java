package io.gpusched.wire.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.Parsed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

final class ManifestReaderTest {
    private static final ManifestReader.Context CONTEXT =
            new ManifestReader.Context(
                    new JobRequest.Context(100, 8, true),
                    namespace -> new TenantId(namespace.isEmpty() ? "default" : namespace));

    private final ManifestReader reader = new ManifestReader(1 << 20);

    @Test
    void topologyBecomesTheGpusOfAReplica() {
        Pool pool =
                pool(
                        """
                        gpuRequirements:
                          count: 8
                          type: A100
                          memory: 40Gi
                          topology:
                            locality: same-node
                            minBandwidth: 600Gi
                        """);
        assertThat(pool.replica().roles().getFirst().shape().gpus())
                .isEqualTo(new GpuRequest.Whole(8, 40_960, Locality.SAME_NODE, 600));
        assertThat(pool.replica().roles().getFirst().shape().models())
                .containsExactly(new GpuModel("A100", 0));
        assertThat(pool.min()).isEqualTo(1);
        assertThat(pool.max()).isEqualTo(4);
    }

    @Test
    void aMigProfileWithACountIsThatManySlices() {
        Pool pool = pool("migProfile: 1g.5gb\ngpuRequirements: {count: 2, type: A100}\n");
        assertThat(pool.replica().roles().getFirst().shape().gpus())
                .isEqualTo(new GpuRequest.Slice("1g.5gb", 2));
    }

    @ParameterizedTest
    @CsvSource({"2, 4", "'\"2\"', 4", "6, 6", "'\"6\"', 6"})
    void theLargerOfTheLeastSizeAndTheGangCounts(String written, int min) {
        Pool pool =
                pool(
                        """
                        minReplicas: %s
                        maxReplicas: 8
                        scheduling:
                          gangScheduling: {enabled: true, minMembers: 4}
                        """
                                .formatted(written));
        assertThat(pool.min()).isEqualTo(min);
    }

    @Test
    void gangSchedulingIsALeastSizeWithAWarning() {
        var read =
                valid(
                        agentPool(
                                """
                                minReplicas: 3
                                gpuRequirements: {count: 2, topology: {locality: same-node}}
                                scheduling:
                                  gangScheduling: {enabled: true, minMembers: 4}
                                """));
        assertThat(((Manifest.OfPool) read.value().getFirst()).pool().min()).isEqualTo(4);
        assertThat(read.warnings()).anyMatch(each -> each.contains("scheduling.gangScheduling"));
    }

    @Test
    void costRulesAreRead() {
        Pool pool =
                pool(
                        """
                        scheduling:
                          priority: 100
                          costOptimization:
                            enabled: true
                            sloHeadroomMs: 1000
                            maxCostPerHour: "50.0"
                            spotEnabled: true
                            spotMaxInterruptions: 2
                            fallbackModel: small
                            fallbackTrigger: {costExceeded: true, sloAtRisk: false}
                        """);
        assertThat(pool.replica().priority()).isEqualTo(100);
        assertThat(pool.cost().maxMicroDollarsPerHour()).isEqualTo(50_000_000);
        assertThat(pool.cost().headroomMillis()).isEqualTo(1000);
        assertThat(pool.cost().spotPercent()).isEqualTo(100);
        assertThat(pool.cost().maxInterruptions()).isEqualTo(2);
        assertThat(pool.cost().window()).isEqualTo(Duration.ofHours(1));
        assertThat(pool.cost().fallbackModel()).isEqualTo("small");
        assertThat(pool.cost().fallbackOnCost()).isTrue();
        assertThat(pool.cost().fallbackOnSlo()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                scheduling:
                  costOptimization:
                    spotEnabled: true
                    sloHeadroomMs: 2000
                    spotStrategy:
                      instanceTypes: ["p4d.24xlarge", "p3dn.24xlarge"]
                      onInterruption: migrate-to-on-demand
                      maxSpotPercent: 80
                    interruptionThreshold: {count: 3, window: 1h, action: disable-spot}
                """,
                """
                autoscaling:
                  spotStrategy:
                    enabled: true
                    maxSpotPercent: 80
                    onInterruption: {action: migrate-to-on-demand, timeout: 30s}
                    instanceTypes: ["p4d.24xlarge", "p3dn.24xlarge"]
                scheduling:
                  costOptimization:
                    enabled: true
                    interruptionThreshold: {count: "3", window: 1h}
                """
            })
    void spotRulesAreReadFromBothPlaces(String spec) {
        Pool pool = pool(spec);
        assertThat(pool.cost().spotTypes()).containsExactly("p4d.24xlarge", "p3dn.24xlarge");
        assertThat(pool.cost().spotPercent()).isEqualTo(80);
        assertThat(pool.cost().migrate()).isTrue();
        assertThat(pool.cost().maxInterruptions()).isEqualTo(3);
    }

    @Test
    void carbonLocalityAndCacheRulesAreRead() {
        Pool pool =
                pool(
                        """
                        scheduling:
                          carbonAware:
                            enabled: true
                            preferredRegions:
                              - us-west-2  # a comment
                              - eu-north-1
                            timeShifting: {enabled: true, cleanEnergyHours: "09:00-17:00"}
                            maxCarbonIntensity: 100
                          dataLocality:
                            vectorStoreAffinity: [shard-0, shard-1]
                            localityWeight: high
                            antiAffinity: [training-jobs]
                          cacheAware:
                            enabled: true
                            cacheHitWeight: 0.3
                            preloadStrategy:
                              nodes: {labelSelector: {matchLabels: {node-pool: gpu-primary}}}
                              minCachedReplicas: 2
                          preemption: {enabled: true, policy: lowest-priority-first}
                          fastScheduling: {enabled: true, maxNodesToScore: 50}
                        """);
        assertThat(pool.carbon().preferredRegions()).containsExactly("us-west-2", "eu-north-1");
        assertThat(pool.carbon().maxGramsPerKwh()).isEqualTo(100);
        assertThat(pool.carbon().cleanFromMinute()).isEqualTo(540);
        assertThat(pool.carbon().cleanMinutes()).isEqualTo(480);
        assertThat(pool.locality().near()).containsExactly("shard-0", "shard-1");
        assertThat(pool.locality().apart()).containsExactly("training-jobs");
        assertThat(pool.locality().weightPercent()).isEqualTo(60);
        assertThat(pool.locality().cachePercent()).isEqualTo(30);
        assertThat(pool.locality().minCached()).isEqualTo(2);
        assertThat(pool.locality().preloadLabel()).isEqualTo("node-pool=gpu-primary");
    }

    @Test
    void autoscalingTakesNumbersTextsAndDurations() {
        Pool pool =
                pool(
                        """
                        minReplicas: 2
                        maxReplicas: 20
                        prewarmPercent: 25
                        tokensPerSecondBudget: 5000
                        autoscaling:
                          metrics:
                            - {type: tokens-in-queue, target: "500", averagingWindow: 30s}
                            - {type: ttft-p95, target: 0.5s}
                            - {type: ttft-p99, target: 900ms}
                            - {type: concurrent-sessions, target: 100}
                            - {type: tool-call-rate, target: 10/s}
                            - {type: cost-per-token, target: 1}
                          behavior:
                            scaleUp: {stabilizationWindow: 1m, maxChangePercent: 100,
                              maxChangeAbsolute: 4, periodSeconds: 30}
                            scaleDown: {stabilizationWindow: 10m}
                          cooldownPeriod: 1d
                          predictive:
                            enabled: true
                            schedules: [{name: day, cron: "0 8 * * 1-5", replicas: 5}]
                          costConstraints: {maxCostPerHour: 12.5, dailyBudget: 100}
                        sessionAffinity: {enabled: true, type: conversation-id, ttl: 1h30m}
                        """);
        assertThat(pool.warm()).isEqualTo(5);
        assertThat(pool.scaling().law()).isEqualTo("targets");
        assertThat(pool.scaling().targets())
                .containsExactly(
                        new MetricTarget(
                                PoolMetric.TOKENS_IN_QUEUE, 500_000, Duration.ofSeconds(30)),
                        new MetricTarget(PoolMetric.FIRST_TOKEN_P95, 500_000, Duration.ZERO),
                        new MetricTarget(PoolMetric.FIRST_TOKEN_P95, 900_000, Duration.ZERO),
                        new MetricTarget(PoolMetric.CONCURRENT_SESSIONS, 100_000, Duration.ZERO),
                        new MetricTarget(PoolMetric.TOOL_CALL_RATE, 10_000, Duration.ZERO));
        assertThat(pool.scaling().up().stabilization()).isEqualTo(Duration.ofMinutes(1));
        assertThat(pool.scaling().up().steps())
                .containsExactly(
                        new ScaleBehavior.Step(true, 100, Duration.ofSeconds(30)),
                        new ScaleBehavior.Step(false, 4, Duration.ofSeconds(30)));
        assertThat(pool.scaling().cooldown()).isEqualTo(Duration.ofDays(1));
        assertThat(pool.scaling().schedules()).hasSize(1);
        assertThat(pool.cost().maxMicroDollarsPerHour()).isEqualTo(12_500_000);
        assertThat(pool.serving().affinityHeader()).isEqualTo("x-conversation-id");
        assertThat(pool.serving().affinityFor()).isEqualTo(Duration.ofMinutes(90));
    }

    @Test
    void aClassAModelAndABindingAreRead() {
        List<Manifest> all =
                valid(
                                read(
                                        """
                                        apiVersion: neuronetes.io/v1alpha1
                                        kind: AgentClass
                                        metadata: {name: chat, namespace: research}
                                        spec:
                                          modelRef: {name: llama}
                                          maxContextLength: 8192
                                          slo: {ttft: 500ms, tokensPerSecond: 30, p95Latency: 2s}
                                          guardrails: [{type: code-injection-check, action: block}]
                                        ---
                                        apiVersion: neuronetes.io/v1alpha1
                                        kind: Model
                                        metadata: {name: llama}
                                        spec:
                                          weightsURI: s3://models/llama
                                          size: 140GB
                                          quantization: fp16
                                          cachePolicy: {priority: high, pinDuration: 7d,
                                            evictionPolicy: lru}
                                        ---
                                        # The binding of the scheduler guide.
                                        apiVersion: neuronetes.io/v1alpha1
                                        kind: ToolBinding
                                        metadata: {name: queue-binding}
                                        spec:
                                          queueConfig:
                                            autoscaleOnLag: true
                                            maxLagThreshold: 100  # messages
                                        """))
                        .value();
        AgentClass agentClass = ((Manifest.OfClass) all.get(0)).agentClass();
        assertThat(agentClass.tenant()).isEqualTo(new TenantId("research"));
        assertThat(agentClass.model()).isEqualTo("llama");
        assertThat(agentClass.slo()).isEqualTo(new Slo(500, 0, 30, 990));
        assertThat(agentClass.profile().value("maxContextLength")).isEqualTo("8192");
        ModelSpec model = ((Manifest.OfModel) all.get(1)).model();
        assertThat(model.sizeBytes()).isEqualTo(140_000_000_000L);
        assertThat(model.pin()).isEqualTo(Duration.ofDays(7));
        assertThat(model.eviction()).isEqualTo(ModelSpec.Eviction.IDLE);
        QueueBinding binding = ((Manifest.OfBinding) all.get(2)).binding();
        assertThat(binding.pool()).isNull();
        assertThat(binding.rule()).isEqualTo(new QueueRule(1, 1_000, 100));
    }

    @Test
    void aPoolNamesItsClassByALabel() {
        var read = valid(agentPool("agentClassRef: {name: chat}\nreplica: {command: [serve]}\n"));
        var manifest = (Manifest.OfPool) read.value().getFirst();
        assertThat(manifest.agentClass()).isEqualTo("chat");
        assertThat(manifest.pool().replica().labels().value(AgentClass.LABEL)).isEqualTo("chat");
        assertThat(read.warnings()).isEmpty();
    }

    @Test
    void ourOwnKindTakesThePoolsDocumentInYamlOrJson() {
        String yaml =
                """
                kind: Pool
                metadata: {name: chat}
                spec: {max_replicas: 3, replica: {command: [serve]}}
                """;
        String json =
                "{\"kind\": \"Pool\", \"name\": \"chat\", \"max_replicas\": 3,"
                        + " \"replica\": {\"command\": [\"serve\"]}}";
        assertThat(valid(read(yaml)).value()).isEqualTo(valid(read(json)).value());
        assertThat(((Manifest.OfPool) valid(read(json)).value().getFirst()).pool().id())
                .isEqualTo(new PoolId("chat"));
    }

    @Test
    void unknownFieldsAreWarnedAboutByTheirPath() {
        assertThat(
                        valid(
                                        agentPool(
"""
replica: {command: [serve]}
maxReplcas: 3
gpuRequirements: {cuont: 1}
"""))
                                .warnings())
                .containsExactlyInAnyOrder(
                        "AgentPool/demo: spec.gpuRequirements.cuont is not known and was ignored;"
                                + " did you mean count?",
                        "AgentPool/demo: spec.maxReplcas is not known and was ignored; did you"
                                + " mean maxReplicas?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxReplicas: 0 | spec.maxReplicas",
                "minReplicas: many | spec.minReplicas",
                "migProfile: 9g.1gb | spec.migProfile",
                "gpuRequirements: {count: 200} | spec.gpuRequirements.count",
                "replica: {gpu_count: 200} | spec.replica.gpu_count",
                "replica: {environment: 5} | spec.replica.environment",
                "serving: {port: 99999} | spec.serving.port",
                "sessionAffinity: {enabled: true, ttl: 9000d} |" + " spec.sessionAffinity.ttl",
                "gpuRequirements: {memory: lots} | spec.gpuRequirements.memory",
                "gpuRequirements: {topology: {locality: near}} |"
                        + " spec.gpuRequirements.topology.locality",
                "autoscaling: {metrics: [{type: x, target: 1}]} |"
                        + " spec.autoscaling.metrics[0].metric",
                "autoscaling: {metrics: [{type: ttft-p95, target: 0}]} |"
                        + " spec.autoscaling.metrics[0].target",
                "autoscaling: {cooldownPeriod: soon} | spec.autoscaling.cooldownPeriod",
                "scheduling: 5 | spec.scheduling",
                "scheduling: {carbonAware: {timeShifting: {cleanEnergyHours: noon}}} |"
                        + " spec.scheduling.carbonAware.clean_hours"
            })
    void aProblemNamesTheFieldOfTheManifest(String spec, String field) {
        var problems = invalid(agentPool(spec + "\n"));
        assertThat(problems).extracting(Problem::field).contains(field);
        assertThat(problems).allSatisfy(each -> assertThat(each.message()).contains("AgentPool/"));
    }

    @Test
    void wrongDocumentsAreNamed() {
        assertThat(invalid(read("kind: Deployment\nmetadata: {name: x}\n")))
                .extracting(Problem::field)
                .containsExactly("kind");
        assertThat(invalid(read("gpuRequirements: {count: 2}\n")).getFirst().hint())
                .contains("--name");
        assertThat(invalid(read("- 5\n- 6\n"))).hasSize(2);
        assertThat(invalid(read("\n---\n\n"))).hasSize(1);
        assertThat(invalid(read("kind: AgentPool\n"))).extracting(Problem::field).contains("name");
        String twice = "kind: Pool\nname: a\nreplica: {}\n";
        assertThat(invalid(read(twice + "---\n" + twice)).getFirst().message()).contains("twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: &x [1]\nb: *x\n",
                "a: !!javax.script.ScriptEngineManager [x]\n",
                "a: !custom 5\n",
                "a: 1\na: 2\n",
                "a: [1, 2\n",
                "\tkind: x\n",
                "a: {b: {c: 1}\n"
            })
    void hostileYamlIsRefusedWithItsLine(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("line");
    }

    @Test
    void aTextThatIsNoYamlSaysWhatIsWrongInWhichLine() {
        assertThatThrownBy(() -> read("a: {b: 1\nc: 2\n"))
                .hasMessage("not valid YAML at line 2: expected ',' or '}', but got :");
        assertThatThrownBy(() -> read("a:\n\tb: 2\n"))
                .hasMessageStartingWith("not valid YAML at line 2: found character")
                .hasMessageContaining("TAB");
    }

    @Test
    void bytesThatAreNoTextAreRefusedInWordsOfOurOwn() {
        byte[] bytes = {'a', ':', ' ', (byte) 0xbe, '\n'};
        assertThatThrownBy(() -> reader.read(bytes, CONTEXT))
                .hasMessage("not valid YAML: it is not text in UTF-8");
        assertThatThrownBy(() -> read("a: " + "[".repeat(40)))
                .hasMessage(
                        "not valid YAML: Document nesting depth (33) exceeds the maximum allowed"
                                + " (32)");
    }

    @Test
    void aBombOfAliasesDeepNestingAndHugeTextsAreRefused() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        assertThatThrownBy(() -> read(bomb.toString())).isInstanceOf(MalformedException.class);
        assertThatThrownBy(() -> read("a: " + "[".repeat(100_000)))
                .isInstanceOf(MalformedException.class);
        assertThatThrownBy(() -> read("a:\n" + "{a: ".repeat(5_000)))
                .isInstanceOf(MalformedException.class);
        assertThatThrownBy(() -> read("a: " + "x".repeat(2 << 20)))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("bytes");
        assertThatThrownBy(() -> read("--- 1\n".repeat(5_000)))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("documents");
    }

    @ParameterizedTest
    @CsvSource({
        "500ms,500",
        "1.5s,1500",
        "1h30m,5400000",
        "1d,86400000",
        "7d,604800000",
        "30,30000"
    })
    void durationsAreThoseOfGoWithDays(String text, long millis) {
        assertThat(ManifestFields.duration(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "5x", "-1s", "1h 30m", "999999999999d"})
    void otherTextsAreNoDurations(String text) {
        assertThat(ManifestFields.duration(text)).isNull();
    }

    private Pool pool(String spec) {
        return ((Manifest.OfPool) valid(agentPool(spec)).value().getFirst()).pool();
    }

    private Parsed<List<Manifest>, Problem> agentPool(String spec) {
        return read(
                "apiVersion: neuronetes.io/v1alpha1\n"
                        + "kind: AgentPool\n"
                        + "metadata:\n"
                        + "  name: demo\n"
                        + "spec:\n"
                        + spec.indent(2));
    }

    private Parsed<List<Manifest>, Problem> read(String text) {
        return reader.read(text.getBytes(StandardCharsets.UTF_8), CONTEXT);
    }

    private static Parsed.Valid<List<Manifest>, Problem> valid(
            Parsed<List<Manifest>, Problem> parsed) {
        assertThat(parsed).isInstanceOf(Parsed.Valid.class);
        return (Parsed.Valid<List<Manifest>, Problem>) parsed;
    }

    private static List<Problem> invalid(Parsed<List<Manifest>, Problem> parsed) {
        assertThat(parsed).isInstanceOf(Parsed.Invalid.class);
        return ((Parsed.Invalid<List<Manifest>, Problem>) parsed).problems();
    }
}
