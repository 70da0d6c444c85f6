package io.gpusched.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

@Timeout(60)
final class CachedViewTest {
    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());
    private final CachedView view = new CachedView(api);

    @AfterEach
    void end() {
        view.close();
        api.close();
        server.close();
    }

    @Test
    void theLabelsOfNodesTheKindsOfRunningPodsAndTheClassesAreKnown() {
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: team}"));
        node("n1", "L4-24GB");
        node("n2", "A100-80GB");
        node("n3", "L4-24GB");
        server.plant(ResourceType.PODS, pod("p1", "gpt", "Running"));
        server.plant(ResourceType.PODS, pod("p2", "bert", "Pending"));
        assertThat(view.gpuTypes()).isEmpty();

        view.start();

        while (view.gpuTypes().size() < 2
                || view.jobTypes().isEmpty()
                || !view.hasPriorityClass("system-cluster-critical")) {
            Thread.onSpinWait();
        }
        assertThat(view.gpuTypes()).isEqualTo(List.of("A100-80GB", "L4-24GB"));
        assertThat(view.jobTypes()).isEqualTo(List.of("gpt"));
        assertThat(view.hasPriorityClass("gpu-ultra")).isFalse();
    }

    private void node(String name, String gpuClass) {
        ObjectNode node = KubeYaml.node(name, 8);
        ((ObjectNode) node.at("/metadata/labels")).put(PodScoring.GPU_CLASS, gpuClass);
        server.create(ResourceType.NODES, node);
    }

    private static ObjectNode pod(String name, String kind, String phase) {
        ObjectNode pod = KubeYaml.pod(name, "containers: [{name: main, image: busybox}]");
        ((ObjectNode) pod.at("/metadata/annotations")).put(PodScoring.JOB_TYPE, kind);
        ((ObjectNode) pod.get("status")).put("phase", phase);
        return pod;
    }
}
