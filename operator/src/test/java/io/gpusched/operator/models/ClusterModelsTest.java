package io.gpusched.operator.models;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeApi.PatchKind;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;
import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Orders of the scheduler, carried out by pods.
@SuppressWarnings("NullAway.Init")
final class ClusterModelsTest {
    private static final CacheSettings SETTINGS = CacheSettings.usual("default", "gpu-scheduler:1");

    private final FakeApiServer cluster = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(cluster.config());
    private Instant now = Instant.now();
    private ClusterModels models;
    private int changes;

    @BeforeEach
    void start() {
        node("n1", "gpu-scheduler.io/model-cache-gb: '500'");
        node("n2", "gpu-scheduler.io/model-cache-gb: '0'");
        node("n3", "other: label");
        models = models();
    }

    @AfterEach
    void stop() {
        api.close();
        cluster.close();
    }

    private ClusterModels models() {
        return new ClusterModels(api, SETTINGS, () -> now);
    }

    private void node(String name, String label) {
        cluster.create(
                ResourceType.NODES,
                KubeYaml.object(
                        """
                        metadata: {name: %s, labels: {%s}}
                        status: {nodeInfo: {bootID: boot-1}}
                        """
                                .formatted(name, label)));
    }

    private static ModelOrder load(String model) {
        return ModelOrder.newBuilder()
                .setModel(model)
                .setUri("https://models/" + model)
                .setBytes(100)
                .build();
    }

    private static ModelOrder remove(String model) {
        return ModelOrder.newBuilder().setModel(model).setRemove(true).build();
    }

    private void turn() {
        now = now.plusSeconds(31);
        models.turn(now);
    }

    private List<ObjectNode> pods() {
        return cluster.all(ResourceType.PODS);
    }

    private ObjectNode pod() {
        assertThat(pods()).hasSize(1);
        return pods().getFirst();
    }

    /// What the kubelet would tell.
    private void end(JsonNode pod, String phase, String message) {
        int status = phase.equals("Failed") ? 1 : 0;
        ObjectNode patch =
                KubeYaml.object(
                        """
                        status:
                          phase: %s
                          containerStatuses:
                          - {name: load, state: {terminated: {exitCode: %d}}}
                        """
                                .formatted(phase, status));
        ObjectNode end = (ObjectNode) patch.at("/status/containerStatuses/0/state/terminated");
        end.put("message", message);
        api.patch(
                ResourceType.PODS,
                "default",
                pod.at("/metadata/name").asText(),
                "status",
                PatchKind.MERGE,
                patch);
    }

    private String annotation(String node, String key) {
        ObjectNode found = api.get(ResourceType.NODES, "", node);
        return found.at("/metadata/annotations").path(key).asText("");
    }

    private String held(String node) {
        var words = new StringBuilder();
        for (HeldModel each : models.held().getOrDefault(node, List.of())) {
            words.append(each.getModel()).append(' ').append(each.getState());
            words.append(each.getProblem().isEmpty() ? "" : " " + each.getProblem()).append("; ");
        }
        return words.toString();
    }

    private void loaded(String node, String model, String found) {
        models.follow(node, List.of(load(model)));
        turn();
        end(pod(), "Succeeded", "{\"bytes\":101,\"models\":{" + found + "}}");
        turn();
    }

    @Test
    void anOrderIsAPodOnItsNode() {
        models.follow("n1", List.of(load("team-a.llama"), load("team-a.qwen")));
        models.follow("n3", List.of(load("team-a.llama")));
        turn();
        JsonNode spec = pod().path("spec");
        assertThat(spec.path("nodeName").asText()).isEqualTo("n1");
        assertThat(spec.at("/tolerations/0/operator").asText()).isEqualTo("Exists");
        assertThat(spec.at("/volumes/0/hostPath/path").asText())
                .isEqualTo("/var/lib/gpu-scheduler/models");
        assertThat(spec.at("/containers/0/args/0").asText()).isEqualTo("cache-model");
        assertThat(spec.at("/containers/0/env").toString())
                .contains("{\"name\":\"MODEL_URI\",\"value\":\"https://models/team-a.llama\"}")
                .contains("{\"name\":\"MODEL_CACHE_BYTES\",\"value\":\"500000000000\"}");
        assertThat(models.held().keySet()).containsExactly("n1", "n2");
        assertThat(held("n1")).isEqualTo("team-a.llama LOADING; ");
        turn();
        assertThat(pods()).hasSize(1);
    }

    @Test
    void aLoadedModelIsRecordedOnItsNode() {
        loaded("n1", "team-a.llama", "\"team-a.llama\":101");
        assertThat(pods()).isEmpty();
        assertThat(held("n1")).isEqualTo("team-a.llama CACHED; ");
        assertThat(annotation("n1", NodeCache.LIST)).isEqualTo("team-a.llama");
        assertThat(annotation("n1", NodeCache.OURS))
                .isEqualTo("{\"boot\":\"boot-1\",\"models\":{\"team-a.llama\":101}}");
        assertThat(models.find("n1", "team-a.llama"))
                .isEqualTo("/var/lib/gpu-scheduler/models/team-a.llama");
        assertThat(models.find("n2", "team-a.llama")).isEmpty();
        turn();
        assertThat(pods()).isEmpty();
    }

    @Test
    void anotherOperatorGoesOnWhereTheLastOneStopped() {
        loaded("n1", "a.llama", "\"a.llama\":101");
        models.follow("n1", List.of(load("a.llama"), load("a.qwen")));
        turn();
        models = models();
        models.turn(now);
        assertThat(held("n1")).isEqualTo("a.llama CACHED; a.qwen LOADING; ");
        models.follow("n1", List.of(load("a.llama"), load("a.qwen")));
        end(pod(), "Succeeded", "{\"bytes\":7,\"models\":{\"a.llama\":101,\"a.qwen\":7}}");
        turn();
        assertThat(pods()).isEmpty();
        assertThat(annotation("n1", NodeCache.LIST)).isEqualTo("a.llama,a.qwen");
    }

    @Test
    void removalsComeFirstAndModelsOfOthersStayInTheList() {
        loaded("n1", "a.llama", "\"a.llama\":101");
        api.patch(
                ResourceType.NODES,
                "",
                "n1",
                "",
                PatchKind.MERGE,
                KubeYaml.object(
                        "metadata: {annotations: {neuronetes.io/cached-models: 'a.llama,baked'}}"));
        turn();
        models.follow("n1", List.of(load("a.qwen"), remove("a.llama")));
        turn();
        assertThat(pod().at("/spec/containers/0/env/0/value").asText()).isEqualTo("remove");
        end(pod(), "Succeeded", "{\"bytes\":0,\"models\":{}}");
        turn();
        assertThat(annotation("n1", NodeCache.LIST)).isEqualTo("baked");
        assertThat(held("n1")).isEqualTo("a.qwen LOADING; ");
    }

    @Test
    void aFailedLoadIsToldAndTriedAgainLater() {
        models.follow("n1", List.of(load("a.llama")));
        turn();
        end(pod(), "Failed", "{\"problem\":\"expected status 200, found 404\"}");
        models.turn(now);
        assertThat(pods()).isEmpty();
        assertThat(held("n1")).isEqualTo("a.llama FAILED expected status 200, found 404; ");
        models.turn(now.plusSeconds(9));
        assertThat(pods()).isEmpty();
        models.turn(now.plusSeconds(11));
        assertThat(pods()).hasSize(1);
        assertThat(held("n1")).isEqualTo("a.llama LOADING; ");
    }

    @Test
    void whatIsNoLongerOrderedIsGivenUp() {
        models.follow("n1", List.of(load("a.llama")));
        turn();
        models.follow("n1", List.of());
        turn();
        assertThat(pod().path("metadata").has("deletionTimestamp")).isTrue();
    }

    @Test
    void aPodThatCannotStartIsAFailure() {
        models.follow("n1", List.of(load("a.llama")));
        turn();
        api.patch(
                ResourceType.PODS,
                "default",
                pod().at("/metadata/name").asText(),
                "status",
                PatchKind.MERGE,
                KubeYaml.object(
                        """
                        status:
                          phase: Pending
                          containerStatuses:
                          - {name: load, state: {waiting: {reason: ImagePullBackOff, message: no such image}}}
                        """));
        now = now.plus(Duration.ofMinutes(2));
        models.turn(now);
        assertThat(held("n1"))
                .isEqualTo(
                        "a.llama FAILED the loader does not start: ImagePullBackOff no such"
                                + " image; ");
    }

    @Test
    void afterABootTheRecordIsNotBelieved() {
        loaded("n1", "a.llama", "\"a.llama\":101");
        api.patch(
                ResourceType.NODES,
                "",
                "n1",
                "status",
                PatchKind.MERGE,
                KubeYaml.object("status: {nodeInfo: {bootID: boot-2}}"));
        turn();
        assertThat(held("n1")).isEqualTo("a.llama LOADING; ");
        end(pod(), "Succeeded", "{\"bytes\":101,\"models\":{\"a.llama\":101,\"a.old\":5}}");
        turn();
        assertThat(held("n1")).isEqualTo("a.llama CACHED; a.old CACHED; ");
    }

    @Test
    void theAgentIsToldWhenSomethingChangesAndOnlyThen() {
        models.turn(now);
        models.close();
        models = models();
        models.start(() -> changes++);
        models.close();
        turn();
        int before = changes;
        turn();
        assertThat(changes).isEqualTo(before);
        models.follow("n2", List.of(load("a.llama")));
        turn();
        assertThat(changes).isEqualTo(before + 1);
    }

    @Test
    void otherAddressesNeedAFetcherAndClaimsTheNamespaceOfTheModel() {
        var settings =
                new CacheSettings(
                        CacheVolume.of("claim:models-{node}"),
                        "operators",
                        "gpu-scheduler:1",
                        "loader",
                        Map.of("s3", "aws-cli:2"),
                        "east.",
                        8,
                        Duration.ofMinutes(10));
        var order = ModelOrder.newBuilder().setModel("east.team-a.llama").setUri("s3://b/llama");
        ObjectNode pod =
                new Loader("n1", "east.team-a.llama", false).pod(order.build(), 0, settings);
        assertThat(pod.at("/metadata/namespace").asText()).isEqualTo("team-a");
        assertThat(pod.at("/spec/initContainers/0/image").asText()).isEqualTo("aws-cli:2");
        assertThat(pod.at("/spec/volumes/0/persistentVolumeClaim/claimName").asText())
                .isEqualTo("models-n1");
        assertThat(pod.at("/spec/containers/0/env").toString())
                .contains("{\"name\":\"MODEL_FETCHED\",\"value\":\"true\"}");
        assertThat(pod.at("/spec/serviceAccountName").asText()).isEqualTo("loader");
    }
}
