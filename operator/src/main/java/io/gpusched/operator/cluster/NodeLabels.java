package io.gpusched.operator.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Which labels of nodes the scheduler is told. A node may carry a hundred labels of feature
/// discovery that no pod asks for; with thousands of nodes they would not fit into one message. So
/// it is told the labels by which people usually choose nodes, and every key that a pod has named.
///
/// Any thread may use it.
public final class NodeLabels {
    /// The name of a node as a label, for pods that choose nodes by name.
    public static final String NAME = "metadata.name";

    /// The cluster of a node: pods of one cluster cannot run in another, nor on other machines.
    public static final String CLUSTER = "gpu-scheduler.io/cluster";

    /// Fewer than the scheduler accepts, because the operator adds some of its own.
    private static final int MOST = 128;

    /// Labels of these groups are told: all labels without a group are too.
    private static final List<String> USUAL =
            List.of(
                    "neuronetes.io/",
                    "gpu-scheduler.io/",
                    "topology.kubernetes.io/",
                    "node.kubernetes.io/",
                    "kubernetes.io/",
                    "node-role.kubernetes.io/",
                    "karpenter.sh/",
                    "cloud.google.com/gke-",
                    "eks.amazonaws.com/nodegroup",
                    "kubernetes.azure.com/agentpool",
                    "nvidia.com/gpu.product",
                    "nvidia.com/gpu.family",
                    "nvidia.com/gpu.memory",
                    "nvidia.com/gpu.count",
                    "nvidia.com/mig.");

    private final String cluster;
    private final Set<String> named = ConcurrentHashMap.newKeySet();

    /// @param cluster the UID of the cluster
    public NodeLabels(String cluster) {
        this.cluster = cluster;
    }

    /// Has these keys told too.
    ///
    /// @return whether one of them was not told before, so that all nodes must be told again
    public boolean name(Collection<String> keys) {
        boolean more = false;
        for (String key : keys) {
            more |= !isUsual(key) && named.add(key);
        }
        return more;
    }

    /// The label that all nodes of the cluster have, and no node of another one.
    public static Map<String, String> ofCluster(String cluster) {
        return Map.of(CLUSTER, cluster);
    }

    /// The labels of a node that the scheduler is told. Keys that pods have named come first where
    /// there are too many.
    Map<String, String> of(JsonNode node) {
        var told = new TreeMap<String, String>();
        JsonNode labels = node.path("metadata").path("labels");
        for (String key : named) {
            if (labels.has(key) && told.size() < MOST) {
                told.put(key, labels.path(key).asText());
            }
        }
        for (var label : labels.properties()) {
            if (isUsual(label.getKey()) && told.size() < MOST) {
                told.put(label.getKey(), label.getValue().asText());
            }
        }
        told.put(NAME, node.path("metadata").path("name").asText());
        told.put(CLUSTER, cluster);
        return told;
    }

    private static boolean isUsual(String key) {
        if (key.indexOf('/') < 0) {
            return true;
        }
        for (String prefix : USUAL) {
            if (key.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
