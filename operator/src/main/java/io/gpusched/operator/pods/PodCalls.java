package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.cluster.PodResources;
import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;

import java.time.Duration;

/// Requests about one pod: binding it, for a trial or for good, and making it stop. Each call
/// blocks, changes nothing but the cluster, and may be repeated.
final class PodCalls {
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration ROLE_RETRY = Duration.ofSeconds(30);
    private static final Duration VOLUME_CHECK = Duration.ofMillis(500);
    private static final Duration BUDGET_RETRY = Duration.ofSeconds(2);

    private final KubeApi api;
    private final ClusterObjects objects;
    private final ClusterPicture picture;
    private final PodReader podReader;

    /// Clusters before 1.22 know only the older version of evictions.
    private volatile String evictionVersion = "policy/v1";

    PodCalls(KubeApi api, ClusterObjects objects, ClusterPicture picture) {
        this.api = api;
        this.objects = objects;
        this.picture = picture;
        this.podReader = new PodReader(objects);
    }

    /// Whether the pod could be bound to the node: its volumes are there, the node has room, and
    /// the API server accepts the binding.
    CallOutcome prepare(PodKey pod, String node, PodIdentity identity) {
        CallOutcome ready = ready(pod, node);
        return ready instanceof CallOutcome.Done
                ? post(pod, node, identity, "binding?dryRun=All")
                : ready;
    }

    CallOutcome bind(PodKey pod, String node, PodIdentity identity) {
        CallOutcome ready = ready(pod, node);
        return ready instanceof CallOutcome.Done ? post(pod, node, identity, "binding") : ready;
    }

    private CallOutcome ready(PodKey key, String node) {
        JsonNode pod = objects.find(ResourceType.PODS, key.namespace(), key.name());
        if (!pod.path("metadata").path("uid").asText().equals(key.uid())) {
            return gone(key);
        }
        try {
            String shortage = picture.shortage(node, key.uid(), PodResources.of(pod));
            return shortage.isEmpty()
                    ? volumes(pod, node)
                    : new CallOutcome.Refused(shortage, SOON);
        } catch (IllegalArgumentException e) {
            return new CallOutcome.Refused("pod " + key + ": " + e.getMessage(), ROLE_RETRY);
        }
    }

    /// Tells the claims of the pod which node was chosen, and waits until they are bound.
    private CallOutcome volumes(JsonNode pod, String node) {
        for (String name : podReader.claimsToBind(pod)) {
            String namespace = pod.path("metadata").path("namespace").asText();
            JsonNode claim = objects.find(ResourceType.VOLUME_CLAIMS, namespace, name);
            String selected =
                    claim.path("metadata").path("annotations").path(SELECTED_NODE).asText("");
            if (!selected.equals(node)) {
                ObjectNode patch = JsonNodeFactory.instance.objectNode();
                patch.putObject("metadata").putObject("annotations").put(SELECTED_NODE, node);
                try {
                    api.patch(
                            ResourceType.VOLUME_CLAIMS,
                            namespace,
                            name,
                            "",
                            KubeApi.PatchKind.MERGE,
                            patch);
                } catch (KubeException e) {
                    return failed(e, "the volume of claim " + namespace + "/" + name);
                }
            }
            return new CallOutcome.Later(
                    "PersistentVolumeClaim %s is being bound on node %s".formatted(name, node),
                    VOLUME_CHECK);
        }
        return new CallOutcome.Done();
    }

    private CallOutcome post(PodKey pod, String node, PodIdentity identity, String sub) {
        ObjectNode binding = JsonNodeFactory.instance.objectNode();
        binding.put("apiVersion", "v1").put("kind", "Binding");
        ObjectNode metadata = binding.putObject("metadata");
        metadata.put("name", pod.name()).put("namespace", pod.namespace()).put("uid", pod.uid());
        identity.putInto(metadata.putObject("annotations"));
        binding.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", node);
        try {
            api.post(ResourceType.PODS, pod.namespace(), pod.name(), sub, binding);
            return new CallOutcome.Done();
        } catch (KubeException e) {
            if (e.isNotFound()) {
                return gone(pod);
            }
            return e.isConflict() ? conflict(pod, node, identity, e) : failed(e, "pod " + pod);
        }
    }

    /// The pod is bound already, perhaps by us: the answer to an earlier request may have been
    /// lost.
    private CallOutcome conflict(
            PodKey key, String node, PodIdentity identity, KubeException conflict) {
        try {
            ObjectNode pod = api.get(ResourceType.PODS, key.namespace(), key.name());
            boolean same = PodKey.of(pod).equals(key);
            if (same && identity.equals(PodIdentity.of(pod))) {
                return pod.path("spec").path("nodeName").asText().equals(node)
                        ? new CallOutcome.Done()
                        : new CallOutcome.Refused("pod " + key + " runs elsewhere", SOON);
            }
            return same
                    ? new CallOutcome.Refused(
                            "pod %s was not bound: %s".formatted(key, conflict.getMessage()), SOON)
                    : gone(key);
        } catch (KubeException e) {
            return e.isNotFound() ? gone(key) : failed(e, "pod " + key);
        }
    }

    /// Asks the pod to stop, within the limits of disruption budgets. That it has stopped is seen
    /// from the pod itself.
    CallOutcome evict(PodKey pod) {
        String version = evictionVersion;
        ObjectNode eviction = JsonNodeFactory.instance.objectNode();
        eviction.put("apiVersion", version).put("kind", "Eviction");
        eviction.putObject("metadata").put("name", pod.name()).put("namespace", pod.namespace());
        eviction.putObject("deleteOptions").putObject("preconditions").put("uid", pod.uid());
        try {
            api.post(ResourceType.PODS, pod.namespace(), pod.name(), "eviction", eviction);
            return new CallOutcome.Done();
        } catch (KubeException e) {
            if (e.code() == 400 && version.equals("policy/v1")) {
                evictionVersion = "policy/v1beta1";
                return evict(pod);
            }
            if (e.isTooManyRequests()) {
                return new CallOutcome.Later(
                        "pod %s cannot be evicted now: %s".formatted(pod, e.getMessage()),
                        BUDGET_RETRY);
            }
            return stopped(e, pod);
        }
    }

    /// Deletes the pod, for a gang of which not all pods could be bound: none of them may go on.
    CallOutcome delete(PodKey pod) {
        try {
            api.delete(
                    ResourceType.PODS, pod.namespace(), pod.name(), DeleteOptions.only(pod.uid()));
            return new CallOutcome.Done();
        } catch (KubeException e) {
            return stopped(e, pod);
        }
    }

    /// Another pod of that name, or none, is as good as one that has stopped.
    private static CallOutcome stopped(KubeException e, PodKey pod) {
        return e.isNotFound() || e.isConflict()
                ? new CallOutcome.Done()
                : new CallOutcome.Later(
                        "pod %s cannot be stopped now: %s".formatted(pod, e.getMessage()),
                        e.isTransient() ? SOON : ROLE_RETRY);
    }

    private static CallOutcome gone(PodKey pod) {
        return new CallOutcome.Refused("pod " + pod + " no longer exists", SOON);
    }

    private static CallOutcome failed(KubeException e, String what) {
        if (e.isTransient()) {
            return new CallOutcome.Later(what + ": " + e.getMessage(), SOON);
        }
        String remedy =
                e.isForbidden()
                        ? "; give the operator's role this verb, as the chart's ClusterRole does"
                        : "";
        return new CallOutcome.Refused(
                "%s was refused by the API server: %s%s".formatted(what, e.getMessage(), remedy),
                ROLE_RETRY);
    }
}
