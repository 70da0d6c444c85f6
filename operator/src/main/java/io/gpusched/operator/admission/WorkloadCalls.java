package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;

import java.util.List;

/// Changes to workloads and their pods at the API server. Each is a merge patch against the version
/// that was read, so that it never undoes what somebody else has changed; it may be repeated.
final class WorkloadCalls {
    private final KubeApi api;

    WorkloadCalls(KubeApi api) {
        this.api = api;
    }

    /// Lets the workload run: its templates get the gate, then it is no longer suspended. These are
    /// two steps, because a cluster without scheduling gates drops them silently, and pods would
    /// run anywhere.
    ///
    /// @param sets the numbers of the pod sets to mark
    /// @return why it cannot run; empty if it runs
    String release(Workload workload, List<Integer> sets, WorkloadRun run) {
        ObjectNode object = workload.object().deepCopy();
        boolean marked = mark(workload, object, sets);
        if (marked) {
            ObjectNode answer = patch(workload, object, run.text());
            object = answer.deepCopy();
            if (mark(workload, object, sets)) {
                return "the cluster drops scheduling gates from the templates of pods; they need"
                        + " Kubernetes 1.27 or later, and a controller that keeps them";
            }
        }
        workload.kind().setSuspended(object, false);
        patch(workload, object, run.text());
        return "";
    }

    private static boolean mark(Workload workload, ObjectNode object, List<Integer> sets) {
        List<WorkloadKind.PodSet> found = workload.kind().podSets(object);
        boolean changed = false;
        for (int set : sets) {
            changed |= set < found.size() && workload.mark(found.get(set).template());
        }
        return changed;
    }

    /// Has the controller of the workload remove its pods.
    void suspend(Workload workload) {
        ObjectNode object = workload.object().deepCopy();
        workload.kind().setSuspended(object, true);
        patch(workload, object, workload.annotation(WorkloadRun.ANNOTATION));
    }

    private ObjectNode patch(Workload workload, ObjectNode object, String run) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.set("resourceVersion", object.path("metadata").path("resourceVersion"));
        metadata.put("uid", workload.uid());
        metadata.putObject("annotations").put(WorkloadRun.ANNOTATION, run);
        patch.set("spec", object.path("spec"));
        return send(workload, patch);
    }

    /// Writes an annotation, or removes it if it is empty.
    void annotate(Workload workload, String key, String value) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", workload.uid());
        ObjectNode annotations = metadata.putObject("annotations");
        if (value.isEmpty()) {
            annotations.putNull(key);
        } else {
            annotations.put(key, value);
        }
        send(workload, patch);
    }

    private ObjectNode send(Workload workload, ObjectNode patch) {
        return api.patch(
                workload.type(),
                workload.namespace(),
                workload.name(),
                "",
                KubeApi.PatchKind.MERGE,
                patch);
    }

    /// Gives a gated pod its rank and its node. A pod that is gone by now needs none.
    void place(JsonNode pod, WorkloadRun run, int rank) {
        ObjectNode opened = pod.deepCopy();
        PodGate.open(opened, run.nodes().get(rank));
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.set("resourceVersion", pod.path("metadata").path("resourceVersion"));
        metadata.set("uid", pod.path("metadata").path("uid"));
        metadata.putObject("annotations").put(WorkloadRun.PLACE, run.place(rank));
        ObjectNode spec = patch.putObject("spec");
        spec.set("affinity", opened.path("spec").path("affinity"));
        JsonNode gates = opened.path("spec").path("schedulingGates");
        if (gates.isEmpty()) {
            spec.putNull("schedulingGates");
        } else {
            spec.set("schedulingGates", gates);
        }
        try {
            api.patch(
                    ResourceType.PODS,
                    pod.path("metadata").path("namespace").asText(),
                    pod.path("metadata").path("name").asText(),
                    "",
                    KubeApi.PatchKind.MERGE,
                    patch);
        } catch (KubeException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
