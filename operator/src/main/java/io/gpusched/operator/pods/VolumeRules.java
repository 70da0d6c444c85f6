package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.kube.ResourceType;

import java.util.ArrayList;
import java.util.List;

/// What the volumes of a pod mean for its placement. A bound volume fixes where the pod may run; a
/// claim that waits for its first consumer is bound only when a node was chosen.
///
/// @param nodes where the volumes can be used
/// @param toBind claims that need a node before they are bound
/// @param waits why the pod cannot be placed yet; empty if it can
/// @param refused why the pod can never be placed as it is; empty if it can
record VolumeRules(NodeTerms nodes, List<String> toBind, String waits, String refused) {
    private static final String LATE = "WaitForFirstConsumer";
    private static final String MANUAL = "kubernetes.io/no-provisioner";

    VolumeRules {
        toBind = List.copyOf(toBind);
    }

    static VolumeRules of(JsonNode pod, ClusterObjects objects) {
        String namespace = pod.path("metadata").path("namespace").asText();
        NodeTerms nodes = NodeTerms.ANY;
        var toBind = new ArrayList<String>();
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            String name = claim(pod, volume);
            if (name.isEmpty()) {
                continue;
            }
            VolumeRules one =
                    ofClaim(
                            name,
                            objects.find(ResourceType.VOLUME_CLAIMS, namespace, name),
                            objects);
            if (!one.waits.isEmpty() || !one.refused.isEmpty()) {
                return one;
            }
            nodes = nodes.and(one.nodes);
            toBind.addAll(one.toBind);
        }
        return new VolumeRules(nodes, toBind, "", "");
    }

    /// The claim behind a volume; empty for a volume without one.
    private static String claim(JsonNode pod, JsonNode volume) {
        if (volume.has("ephemeral")) {
            return pod.path("metadata").path("name").asText() + "-" + volume.path("name").asText();
        }
        return volume.path("persistentVolumeClaim").path("claimName").asText("");
    }

    private static VolumeRules ofClaim(String name, JsonNode claim, ClusterObjects objects) {
        if (claim.isMissingNode()) {
            return waiting("PersistentVolumeClaim " + name + " does not exist; create it");
        }
        if (claim.path("metadata").has("deletionTimestamp")) {
            return waiting("PersistentVolumeClaim " + name + " is being deleted");
        }
        String phase = claim.path("status").path("phase").asText();
        if (phase.equals("Lost")) {
            return waiting("the volume of PersistentVolumeClaim " + name + " is lost");
        }
        String volume = claim.path("spec").path("volumeName").asText("");
        if (!volume.isEmpty()) {
            JsonNode bound = objects.find(ResourceType.VOLUMES, "", volume);
            if (!phase.equals("Bound") || bound.isMissingNode()) {
                return waiting(
                        "PersistentVolumeClaim %s is not bound to PersistentVolume %s yet"
                                .formatted(name, volume));
            }
            JsonNode terms = bound.path("spec").path("nodeAffinity").path("required");
            return new VolumeRules(
                    NodeTerms.of(terms.path("nodeSelectorTerms")), List.of(), "", "");
        }
        return unbound(name, claim, objects);
    }

    private static VolumeRules unbound(String name, JsonNode claim, ClusterObjects objects) {
        String className = claim.path("spec").path("storageClassName").asText("");
        JsonNode storage = objects.find(ResourceType.STORAGE_CLASSES, "", className);
        if (!storage.path("volumeBindingMode").asText().equals(LATE)) {
            return waiting(
                    "PersistentVolumeClaim %s is not bound; its StorageClass is \"%s\""
                            .formatted(name, className));
        }
        if (storage.path("provisioner").asText().equals(MANUAL)) {
            return new VolumeRules(
                    NodeTerms.ANY,
                    List.of(),
                    "",
                    "PersistentVolumeClaim %s waits for its first consumer and StorageClass %s makes"
                                    .formatted(name, className)
                            + " no volumes; set spec.volumeName of the claim");
        }
        return new VolumeRules(
                NodeTerms.ofTopologies(storage.path("allowedTopologies")), List.of(name), "", "");
    }

    private static VolumeRules waiting(String why) {
        return new VolumeRules(NodeTerms.ANY, List.of(), why, "");
    }
}
