package io.gpusched.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.PodResources;
import io.gpusched.operator.cluster.PodUse;
import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// A cluster with an API server and kubelets, a scheduler in a process of its own, and an operator
/// between them.
final class OperatorScene implements AutoCloseable {
    static final String NAMESPACE = "team";
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    final FakeApiServer cluster = FakeApiServer.start();
    final HttpKubeApi api = new HttpKubeApi(cluster.config());
    final SimpleKubelet kubelet = new SimpleKubelet(cluster);
    final SchedulerRun scheduler;
    private HttpKubeApi operatorApi = new HttpKubeApi(cluster.config());
    private Operator operator;

    OperatorScene(Path folder) {
        cluster.create(
                ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: " + NAMESPACE + "}"));
        scheduler = new SchedulerRun(folder.resolve("data"));
        operator = begun();
    }

    private Operator begun() {
        try {
            var operatorNow =
                    new Operator(
                            operatorApi,
                            new OperatorSettings(
                                    new OperatorSettings.Scheduler(
                                            scheduler.url(),
                                            () -> "",
                                            null,
                                            scheduler.agents(),
                                            () -> "",
                                            false,
                                            ""),
                                    "",
                                    "gpu-scheduler",
                                    "",
                                    16,
                                    new OperatorSettings.Election(false, "", "test"),
                                    0));
            operatorNow.start();
            return operatorNow;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Operator operator() {
        return operator;
    }

    /// Ends the operator without an orderly end: its requests break first.
    void killOperator() {
        operatorApi.close();
        operator.close();
    }

    void startOperatorAgain() {
        operatorApi = new HttpKubeApi(cluster.config());
        operator = begun();
    }

    void node(String name, int gpus) {
        ObjectNode node = KubeYaml.node(name, gpus);
        cluster.create(ResourceType.NODES, node);
        api.patch(
                ResourceType.NODES,
                "",
                name,
                "",
                KubeApi.PatchKind.MERGE,
                KubeYaml.object("spec: {taints: null}"));
    }

    /// Creates a pod as a user would.
    ///
    /// @param labels as in `{a: b}`
    void pod(String name, int gpus, String labels) {
        ObjectNode pod = KubeYaml.gpuPod(name, gpus);
        ((ObjectNode) pod.get("metadata")).remove(List.of("uid", "creationTimestamp"));
        ((ObjectNode) pod.get("metadata")).set("labels", KubeYaml.object(labels));
        pod.remove("status");
        create(pod);
    }

    void create(ObjectNode pod) {
        pod.at("/spec/containers").forEach(each -> ((ObjectNode) each).put("image", "none"));
        api.create(ResourceType.PODS, NAMESPACE, pod);
    }

    void pod(String name, int gpus) {
        pod(name, gpus, "{}");
    }

    /// A gang of pods `name-0`, `name-1`, …
    void gang(String name, int pods, int gpus) {
        for (int rank = 0; rank < pods; rank++) {
            pod(
                    name + "-" + rank,
                    gpus,
                    "{gpu-scheduler.io/group: %s, gpu-scheduler.io/group-size: '%d'}"
                            .formatted(name, pods));
        }
    }

    void delete(String name) {
        api.delete(ResourceType.PODS, NAMESPACE, name, new DeleteOptions("", -1, ""));
    }

    void status(String name, String status) {
        api.patch(
                ResourceType.PODS,
                NAMESPACE,
                name,
                "status",
                KubeApi.PatchKind.MERGE,
                KubeYaml.object("status: " + status));
    }

    JsonNode find(String name) {
        ObjectNode found = cluster.find(ResourceType.PODS, NAMESPACE, name);
        return found == null ? MissingNode.getInstance() : found;
    }

    /// The node of a pod; empty if it has none.
    String nodeOf(String name) {
        return find(name).at("/spec/nodeName").asText("");
    }

    boolean isBound(String name) {
        return !nodeOf(name).isEmpty();
    }

    /// Why a pod waits, from its condition.
    String whyWaits(String name) {
        for (JsonNode condition : find(name).at("/status/conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("status").asText().equals("False")) {
                return condition.path("message").asText();
            }
        }
        return "";
    }

    /// Jobs in a state, as the scheduler tells.
    int jobs(String state) {
        return scheduler.get("/api/v1/jobs?limit=0&state=" + state).path("total").asInt();
    }

    /// No node has more than it offers.
    void checkNodes() {
        Map<String, PodResources> used = new HashMap<>();
        for (ObjectNode pod : cluster.all(ResourceType.PODS)) {
            if (PodUse.counts(pod)) {
                PodUse use = PodUse.of(pod);
                used.merge(use.node(), use.resources(), PodResources::plus);
            }
        }
        for (ObjectNode node : cluster.all(ResourceType.NODES)) {
            String name = node.at("/metadata/name").asText();
            PodResources offered = PodResources.allocatable(node);
            used.getOrDefault(name, PodResources.NONE)
                    .amounts()
                    .forEach(
                            (resource, amount) ->
                                    assertThat(amount)
                                            .as("%s on %s", resource, name)
                                            .isLessThanOrEqualTo(offered.of(resource)));
        }
    }

    /// Gangs of which some pods are bound and others wait, by name.
    Map<String, List<String>> partialGangs() {
        Map<String, Map<Boolean, List<String>>> gangs = new TreeMap<>();
        for (ObjectNode pod : cluster.all(ResourceType.PODS)) {
            String gang = pod.at("/metadata/labels").path("gpu-scheduler.io/group").asText("");
            String name = pod.at("/metadata/name").asText();
            if (!gang.isEmpty() && !pod.path("metadata").has("deletionTimestamp")) {
                gangs.computeIfAbsent(gang, _ -> new HashMap<>())
                        .computeIfAbsent(isBound(name), _ -> new ArrayList<>())
                        .add(name);
            }
        }
        Map<String, List<String>> partial = new TreeMap<>();
        gangs.forEach(
                (gang, pods) -> {
                    if (pods.size() > 1) {
                        partial.put(gang, pods.getOrDefault(true, List.of()));
                    }
                });
        return partial;
    }

    static void soon(String what, BooleanSupplier holds) {
        soon(() -> what, holds);
    }

    /// @param what is asked for only if it does not become true
    static void soon(Supplier<String> what, BooleanSupplier holds) {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError("not within a minute: " + what.get());
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Override
    public void close() {
        operator.close();
        operatorApi.close();
        kubelet.close();
        api.close();
        cluster.close();
        scheduler.close();
    }
}
