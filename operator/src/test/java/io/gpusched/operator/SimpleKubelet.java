package io.gpusched.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Does what the kubelets of all nodes do, as far as a scheduler notices: a bound pod runs, and a
/// pod that is being deleted goes away.
final class SimpleKubelet implements AutoCloseable {
    private static final long STEP_MILLIS = 20;

    private final FakeApiServer server;
    private final HttpKubeApi api;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("kubelet").unstarted(this::run);

    SimpleKubelet(FakeApiServer server) {
        this.server = server;
        this.api = new HttpKubeApi(server.config());
        thread.start();
    }

    private void run() {
        try {
            while (!closing.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
                for (ObjectNode pod : server.all(ResourceType.PODS)) {
                    look(pod);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(ObjectNode pod) {
        String namespace = pod.at("/metadata/namespace").asText();
        String name = pod.at("/metadata/name").asText();
        String uid = pod.at("/metadata/uid").asText();
        boolean bound = !pod.at("/spec/nodeName").asText("").isEmpty();
        try {
            if (bound && pod.path("metadata").has("deletionTimestamp")) {
                api.delete(ResourceType.PODS, namespace, name, DeleteOptions.only(uid).grace(0));
            } else if (bound && pod.at("/status/phase").asText().equals("Pending")) {
                api.patch(
                        ResourceType.PODS,
                        namespace,
                        name,
                        "status",
                        KubeApi.PatchKind.STRATEGIC,
                        KubeYaml.object(
                                "status: {phase: Running, conditions: [{type: Ready, status:"
                                        + " 'True'}]}"));
            }
        } catch (KubeException e) {
            // The server is away, or the pod is gone: the next look tells.
        }
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        api.close();
    }
}
