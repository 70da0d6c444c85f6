package io.gpusched.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/// Objects of a cluster, written in tests as people write them.
public final class KubeYaml {
    private static final YAMLMapper YAML = new YAMLMapper();

    private KubeYaml() {}

    public static ObjectNode object(String yaml) {
        try {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not YAML: " + yaml, e);
        }
    }

    /// A pod of our scheduler in the namespace `team`, with a UID made of its name.
    ///
    /// @param spec more of its spec, indented by nothing
    public static ObjectNode pod(String name, String spec) {
        ObjectNode pod =
                object(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: %s, uid: uid-%s, creationTimestamp: "2026-01-01T00:00:00Z", labels: {}, annotations: {}}
                        spec: {schedulerName: gpu-scheduler}
                        status: {phase: Pending}
                        """
                                .formatted(name, name));
        ((ObjectNode) pod.get("spec")).setAll(object(spec));
        return pod;
    }

    /// A pod with one container that asks for whole GPUs, one core and one GiB.
    public static ObjectNode gpuPod(String name, int gpus) {
        return pod(
                name,
                """
                containers:
                - name: main
                  resources: {requests: {cpu: "1", memory: 1Gi, nvidia.com/gpu: "%d"}}
                """
                        .formatted(gpus));
    }

    /// A node that is ready.
    public static ObjectNode node(String name, int gpus) {
        return object(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %s
                  labels:
                    kubernetes.io/hostname: %s
                    nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB
                    nvidia.com/gpu.memory: "81920"
                spec: {}
                status:
                  allocatable: {cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "%d"}
                  conditions: [{type: Ready, status: "True"}]
                  addresses: [{type: InternalIP, address: 10.0.0.1}]
                """
                        .formatted(name, name, gpus));
    }
}
