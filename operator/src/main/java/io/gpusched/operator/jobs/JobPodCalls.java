package io.gpusched.operator.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.cluster.PodResources;
import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.pods.CallOutcome;
import io.gpusched.operator.pods.ClusterObjects;
import io.gpusched.operator.pods.PodIdentity;
import io.gpusched.operator.pods.PodKey;
import io.gpusched.wire.proto.agent.TaskOrder;

import java.time.Duration;

/// Requests about the pod of one task. Each blocks, changes nothing but the cluster, and may be
/// repeated.
final class JobPodCalls {
    /// A refusal that no waiting helps against: the job is at fault.
    static final Duration NEVER = Duration.ZERO;

    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration SLOW = Duration.ofSeconds(30);

    private final KubeApi api;
    private final ClusterObjects objects;
    private final ClusterPicture picture;
    private final String schedulerName;

    JobPodCalls(KubeApi api, ClusterObjects objects, ClusterPicture picture, String schedulerName) {
        this.api = api;
        this.objects = objects;
        this.picture = picture;
        this.schedulerName = schedulerName;
    }

    /// Whether the pod could be created now: the job is one that can be a pod, its namespace
    /// belongs to its tenant, and the node has room.
    CallOutcome prepare(TaskOrder order, String node) {
        try {
            return room(pod(order, node), node);
        } catch (UnusableJob e) {
            return unusable(e);
        }
    }

    private ObjectNode pod(TaskOrder order, String node) {
        return plan(order, node).pod(schedulerName, taints(node));
    }

    /// Where the pod of the task belongs, and what it is.
    ///
    /// @throws UnusableJob if it may not be there
    private JobPod plan(TaskOrder order, String node) {
        String tenant = order.getSpec().getTenantId();
        JobTemplate template = JobTemplate.read(order.getSpec().getAttachment(), tenant);
        template.checkTenant(objects, tenant);
        return new JobPod(order, template, node);
    }

    private JsonNode taints(String node) {
        return objects.find(ResourceType.NODES, "", node).at("/spec/taints");
    }

    private CallOutcome room(ObjectNode pod, String node) {
        String shortage = picture.shortage(node, "", PodResources.of(pod));
        return shortage.isEmpty()
                ? new CallOutcome.Done()
                : new CallOutcome.Refused(shortage, SOON);
    }

    /// Creates the pod, and for rank 0 of a gang the Service after it. That [CallOutcome.Done]
    /// names no pod is no loss: the pod is seen soon, and carries its identity.
    CallOutcome create(TaskOrder order, String node) {
        JobPod plan;
        ObjectNode pod;
        try {
            plan = plan(order, node);
            pod = plan.pod(schedulerName, taints(node));
        } catch (UnusableJob e) {
            return unusable(e);
        }
        try {
            JsonNode there = objects.find(ResourceType.PODS, plan.namespace(), plan.name());
            if (!isOf(there, plan, node)) {
                CallOutcome room = room(pod, node);
                if (!(room instanceof CallOutcome.Done)) {
                    return room;
                }
                there = created(plan, pod);
            }
            if (!isOf(there, plan, node)) {
                return new CallOutcome.Refused(
                        "there is another pod %s/%s; delete it"
                                .formatted(plan.namespace(), plan.name()),
                        SLOW);
            }
            return serve(plan, PodKey.of(there));
        } catch (KubeException e) {
            return failed(e, "pod " + plan.namespace() + "/" + plan.name());
        }
    }

    private ObjectNode created(JobPod plan, ObjectNode pod) {
        try {
            return api.create(ResourceType.PODS, plan.namespace(), pod);
        } catch (KubeException e) {
            if (!e.isConflict()) {
                throw e;
            }
            // Perhaps ours: the answer to an earlier request may have been lost.
            return api.get(ResourceType.PODS, plan.namespace(), plan.name());
        }
    }

    private static boolean isOf(JsonNode pod, JobPod plan, String node) {
        return JobHost.isJobPod(pod)
                && plan.identity().equals(PodIdentity.of(pod))
                && pod.at("/spec/nodeName").asText().equals(node);
    }

    private CallOutcome serve(JobPod plan, PodKey pod) {
        if (!plan.needsService()) {
            return new CallOutcome.Done();
        }
        try {
            api.create(ResourceType.SERVICES, plan.namespace(), plan.service(pod.uid()));
            return new CallOutcome.Done();
        } catch (KubeException e) {
            if (e.isConflict()) { // From an earlier try.
                return new CallOutcome.Done();
            }
            CallOutcome outcome = failed(e, "Service " + plan.namespace() + "/" + plan.gang());
            if (outcome instanceof CallOutcome.Refused) {
                delete(pod, 0);
            }
            return outcome;
        }
    }

    /// That the pod is gone is seen from the pod itself.
    CallOutcome delete(PodKey pod, long graceSeconds) {
        try {
            api.delete(
                    ResourceType.PODS,
                    pod.namespace(),
                    pod.name(),
                    DeleteOptions.only(pod.uid()).grace(graceSeconds));
            return new CallOutcome.Done();
        } catch (KubeException e) {
            return e.isNotFound() || e.isConflict()
                    ? new CallOutcome.Done()
                    : new CallOutcome.Later(
                            "pod %s cannot be deleted now: %s".formatted(pod, e.getMessage()),
                            e.isTransient() ? SOON : SLOW);
        }
    }

    private static CallOutcome unusable(UnusableJob e) {
        return new CallOutcome.Refused(String.valueOf(e.getMessage()), NEVER);
    }

    private static CallOutcome failed(KubeException e, String what) {
        if (e.isTransient()) {
            return new CallOutcome.Later(what + ": " + e.getMessage(), SOON);
        }
        // A quota, a policy, or a right that the operator lacks may all change; a field that is
        // wrong does not.
        return new CallOutcome.Refused(
                "%s was refused by the API server: %s".formatted(what, e.getMessage()),
                e.isForbidden() || e.isNotFound() ? SLOW : NEVER);
    }
}
