package io.gpusched.operator.pools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/// What the scheduler is told of a custom resource.
final class ManifestsTest {
    private static final String CHAT =
            """
            metadata: {namespace: team-a, name: chat, uid: u1, labels: {app: web}}
            spec:
              agentClassRef: {name: assistant, namespace: agents}
              replicas: 3
              template:
                metadata: {labels: {tier: gold}}
                spec:
                  serviceAccountName: serving
                  terminationGracePeriodSeconds: 45
                  nodeSelector: {disk: fast}
                  tolerations: [{key: gpu, operator: Exists, tolerationSeconds: 5}]
                  containers:
                  - name: serve
                    image: vllm:1
                    command: [serve]
                    args: [--port, "9000"]
                    resources:
                      requests: {cpu: 1500m, memory: 2Gi, nvidia.com/gpu: 2}
                  - {name: side, image: side, resources: {limits: {cpu: 1, memory: 512Mi}}}
              replica: {attachment: forged, node_selector: {zone: a}, labels: {owner: me}}
              scheduling: {nodeSelector: {gpu: a100}}
            """;

    private final PoolObjects objects = new PoolObjects();
    private final ServerNames names = new ServerNames("");
    private final References references = new References(objects, names);

    private PoolSettings settings =
            new PoolSettings(
                    "cluster-1",
                    "",
                    Map.of("gpu-scheduler.io/cluster", "cluster-1"),
                    KubeYaml.object("{}"),
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(2));

    private ObjectNode manifest(PoolKind kind, String yaml) {
        ObjectNode object = KubeYaml.object(yaml);
        var manifests = new Manifests(names, references, new ReplicaPods(settings));
        return switch (manifests.of(ObjectKey.of(kind, object), object, "tenant-a")) {
            case Manifests.Prepared.Ready(var manifest) -> manifest;
            case Manifests.Prepared.Wrong(var complaint) ->
                    throw new AssertionError(complaint.text());
        };
    }

    @Test
    void aPoolGetsANameOfItsOwnAndWhatItsTemplateAsksFor() {
        ObjectNode manifest = manifest(PoolKind.AGENT_POOL, CHAT);
        assertThat(manifest.path("metadata").toString())
                .isEqualTo(
                        "{\"name\":\"team-a.chat\",\"namespace\":\"tenant-a\","
                                + "\"labels\":{\"app\":\"web\"}}");
        JsonNode spec = manifest.path("spec");
        assertThat(spec.path("agentClassRef").toString())
                .isEqualTo("{\"name\":\"agents.assistant\"}");
        assertThat(spec.has("replicas")).isFalse();
        assertThat(spec.has("template")).isFalse();
        assertThat(spec.at("/gpuRequirements/count").asInt()).isEqualTo(2);
        ObjectNode replica = spec.path("replica").deepCopy();
        replica.remove("attachment");
        assertThat(KubeYaml.object(replica.toString()))
                .isEqualTo(
                        KubeYaml.object(
                                """
                                node_selector: {disk: fast, gpu: a100, zone: a, gpu-scheduler.io/cluster: cluster-1}
                                labels: {owner: me, gpu-scheduler.io/cluster: cluster-1}
                                cpu_milli: 2500
                                memory_mb: 2560
                                image: "vllm:1"
                                command: [serve]
                                args: [--port, "9000"]
                                grace_seconds: 45
                                tolerations: [{key: gpu, operator: Exists, value: "", effect: ""}]
                                """));
    }

    @Test
    void theAttachmentIsTheTemplateInTheNamespaceOfThePool() {
        String attachment =
                manifest(PoolKind.AGENT_POOL, CHAT).at("/spec/replica/attachment").asText();
        assertThat(attachment)
                .startsWith(
                        "{\"kind\":\"template\",\"labels\":{\"neuronetes.io/agent-class\":\"assistant\","
                            + "\"neuronetes.io/component\":\"replica\",\"neuronetes.io/pool\":\"chat\"},"
                            + "\"namespace\":\"team-a\",\"owner\":{\"apiVersion\":\"neuronetes.io/v1alpha1\","
                            + "\"kind\":\"AgentPool\",\"name\":\"chat\",\"uid\":\"u1\"},\"template\":{")
                .contains("\"serviceAccountName\":\"serving\"");
        String other =
                CHAT.replace(
                        "metadata: {labels: {tier: gold}}",
                        "metadata: {labels: {tier: gold}, annotations: {}}");
        assertThat(manifest(PoolKind.AGENT_POOL, other).at("/spec/replica/attachment").asText())
                .isNotEqualTo(attachment);
        assertThat(
                        manifest(PoolKind.AGENT_POOL, CHAT.replace("replicas: 3", "replicas: 4"))
                                .toString())
                .isEqualTo(manifest(PoolKind.AGENT_POOL, CHAT).toString());
    }

    @Test
    void aSliceOfATemplateIsAProfile() {
        JsonNode spec =
                manifest(
                                PoolKind.AGENT_POOL,
                                """
                                metadata: {namespace: a, name: p}
                                spec: {template: {spec: {containers: [{resources: {limits: {nvidia.com/mig-1g.5gb: 2}}}]}}}
                                """)
                        .path("spec");
        assertThat(spec.path("migProfile").asText()).isEqualTo("1g.5gb");
        assertThat(spec.at("/gpuRequirements/count").asInt()).isEqualTo(2);
    }

    @Test
    void aPoolWithoutATemplateHasTheOperatorsOne() {
        String bare = "{metadata: {namespace: a, name: p}, spec: {}}";
        var pods = new ReplicaPods(settings);
        assertThat(pods.isRunnable(KubeYaml.object(bare))).isFalse();
        assertThat(pods.isRunnable(KubeYaml.object(bare.replace("{}", "{replica: {image: i}}"))))
                .isTrue();
        settings =
                new PoolSettings(
                        "c",
                        "",
                        Map.of(),
                        KubeYaml.object("{spec: {containers: [{image: usual}]}}"),
                        settings.removal(),
                        settings.poll());
        assertThat(new ReplicaPods(settings).isRunnable(KubeYaml.object(bare))).isTrue();
        assertThat(manifest(PoolKind.AGENT_POOL, bare).at("/spec/replica/image").asText())
                .isEqualTo("usual");
    }

    @Test
    void referencesLeadToNamesAtTheScheduler() {
        references.know(Set.of("shared"));
        objects.put(
                new ObjectKey(PoolKind.MODEL, "models", "llama"),
                KubeYaml.object("{metadata: {}}"));
        String agentClass =
                "{metadata: {namespace: a, name: c}, spec: {modelRef: {name: %s, namespace:"
                        + " models}}}";
        assertThat(
                        manifest(PoolKind.AGENT_CLASS, agentClass.formatted("llama"))
                                .at("/spec/modelRef")
                                .toString())
                .isEqualTo("{\"name\":\"models.llama\"}");
        assertThat(
                        manifest(PoolKind.AGENT_CLASS, agentClass.formatted("shared"))
                                .at("/spec/modelRef")
                                .toString())
                .isEqualTo("{\"name\":\"shared\"}");
        assertThat(
                        manifest(
                                        PoolKind.TOOL_BINDING,
                                        "{metadata: {namespace: a, name: b}, spec: {agentPoolRef:"
                                                + " chat}}")
                                .at("/spec/agentPoolRef/name")
                                .asText())
                .isEqualTo("a.chat");
    }

    @Test
    void aLongNameKeepsItsBeginningAndStaysUnique() {
        String one = names.of("team-a", "x".repeat(100) + "1");
        String two = names.of("team-a", "x".repeat(100) + "2");
        assertThat(one).hasSize(63).startsWith("team-a.xxx").isNotEqualTo(two);
        assertThat(new ServerNames("east.").of("team-a", "chat")).isEqualTo("east.team-a.chat");
    }
}
