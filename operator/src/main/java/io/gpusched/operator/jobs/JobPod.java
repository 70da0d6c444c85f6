package io.gpusched.operator.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.PodResources;
import io.gpusched.operator.pods.PodIdentity;
import io.gpusched.wire.proto.agent.MigSlice;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskSpec;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The pod of one task, and the Service by which the pods of a gang find each other.
///
/// The pod is created with its node: place and identity are there from the first moment, so no
/// other scheduler, nor our own queue of pods, ever sees it wait, and one request does what
/// creating and binding would do with two. It still names our scheduler.
final class JobPod {
    static final String MODE = "gpu-scheduler.io/mode";
    static final String OWN = "job";

    private static final String RUN = "gpu-scheduler.io/run";
    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    private static final int LONGEST_NAME = 30;
    private static final long MILLIS = 1000;

    private final TaskOrder order;
    private final JobTemplate template;
    private final String node;

    JobPod(TaskOrder order, JobTemplate template, String node) {
        this.order = order;
        this.template = template;
        this.node = node;
    }

    String namespace() {
        return template.namespace();
    }

    /// A run has one pod for each rank, and its number occurs once, so an answer that was lost is
    /// found again by the name.
    String name() {
        return gang() + "-" + order.getTask().getRank();
    }

    /// The name of the Service, and what all names of the run begin with.
    String gang() {
        TaskRef task = order.getTask();
        return "%s-%d-%d".formatted(prefix(), task.getJob(), task.getAttempt());
    }

    private String prefix() {
        String name =
                order.getSpec()
                        .getJobName()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9]+", "-")
                        .replaceAll("^[^a-z]+", "");
        String cut = name.substring(0, Math.min(LONGEST_NAME, name.length()));
        String trimmed = cut.replaceAll("-+$", "");
        return trimmed.isEmpty() ? "job" : trimmed;
    }

    PodIdentity identity() {
        String gpus =
                order.getGpusList().stream().map(String::valueOf).collect(Collectors.joining(","));
        int tasks = Math.max(1, order.getRun().getRendezvous().getWorldSize());
        return new PodIdentity(order.getTask(), order.getSpec().getJobId(), tasks, gpus);
    }

    boolean needsService() {
        return order.getRun().hasRendezvous() && order.getTask().getRank() == 0;
    }

    /// @param taints those of the node; the scheduler has decided that the job tolerates them
    /// @throws UnusableJob if the job cannot be a pod
    ObjectNode pod(String schedulerName, JsonNode taints) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        putMetadata(pod.putObject("metadata"));
        ObjectNode spec =
                template.template().path("spec") instanceof ObjectNode given
                        ? given.deepCopy()
                        : JsonNodeFactory.instance.objectNode();
        pod.set("spec", spec);
        spec.put("schedulerName", schedulerName).put("nodeName", node);
        spec.put("restartPolicy", "Never").put("automountServiceAccountToken", false);
        spec.put("hostname", name()).put("subdomain", gang());
        TaskSpec job = order.getSpec();
        spec.put("terminationGracePeriodSeconds", Math.max(1, seconds(job.getGraceMillis())));
        if (job.getTimeLimitMillis() > 0) {
            spec.put("activeDeadlineSeconds", seconds(job.getTimeLimitMillis()));
        }
        spec.remove("nodeSelector");
        tolerate(spec, taints);
        ArrayNode containers =
                spec.path("containers") instanceof ArrayNode given && !given.isEmpty()
                        ? given
                        : spec.putArray("containers").add(JsonNodeFactory.instance.objectNode());
        containers.set(0, container(containers.size() == 1));
        checkResources(pod);
        return pod;
    }

    private static long seconds(long millis) {
        return (millis + MILLIS - 1) / MILLIS;
    }

    private void putMetadata(ObjectNode metadata) {
        metadata.put("name", name()).put("namespace", namespace());
        ObjectNode labels = metadata.putObject("labels");
        ObjectNode annotations = metadata.putObject("annotations");
        JsonNode given = template.template().path("metadata");
        put(given.path("labels"), labels);
        put(given.path("annotations"), annotations);
        put(template.labels(), labels);
        labels.put(MANAGED_BY, "gpu-scheduler").put(RUN, gang());
        identity().putInto(annotations);
        annotations.put(MODE, OWN);
        if (!template.owner().isEmpty()) {
            ObjectNode owner = metadata.putArray("ownerReferences").addObject();
            for (String field : List.of("apiVersion", "kind", "name", "uid")) {
                owner.put(field, template.owner().path(field).asText());
            }
        }
    }

    private static void put(JsonNode from, ObjectNode to) {
        for (Map.Entry<String, JsonNode> each : from.properties()) {
            if (!each.getKey().startsWith("gpu-scheduler.io/")) {
                to.put(each.getKey(), each.getValue().asText());
            }
        }
    }

    /// Kubernetes evicts a pod from a node with a taint `NoExecute` that it does not tolerate.
    /// Those of a node that is not well are left to it.
    private static void tolerate(ObjectNode spec, JsonNode taints) {
        ArrayNode all =
                spec.path("tolerations") instanceof ArrayNode given
                        ? given
                        : spec.putArray("tolerations");
        for (JsonNode taint : taints) {
            String key = taint.path("key").asText();
            if (taint.path("effect").asText().equals("NoExecute")
                    && !key.startsWith("node.kubernetes.io/")) {
                all.addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute");
            }
        }
    }

    private ObjectNode container(boolean alone) {
        ObjectNode main = template.main();
        TaskSpec job = order.getSpec();
        if (!main.hasNonNull("name")) {
            main.put("name", "main");
        }
        if (!job.getImage().isEmpty()) {
            main.put("image", job.getImage());
        }
        if (main.path("image").asText("").isEmpty()) {
            throw new UnusableJob(
                    "image: a job needs a container image to run on a cluster; submit it with one");
        }
        putCommand(main, job);
        if (!job.getWorkingDir().isEmpty()) {
            main.put("workingDir", job.getWorkingDir());
        }
        ArrayNode env = main.path("env") instanceof ArrayNode given ? given : main.putArray("env");
        JobEnvironment.put(order, node, master(), env);
        if (alone) {
            putResources(main.putObject("resources"));
        }
        return main;
    }

    /// Where the template has a command, the job's is a copy of it.
    private static void putCommand(ObjectNode main, TaskSpec job) {
        if (main.has("command") || main.has("args")) {
            return;
        }
        if (job.getCommandCount() > 0 || job.getArgsCount() > 0) {
            putTexts(main, "command", job.getCommandList());
            putTexts(main, "args", job.getArgsList());
        } else if (!job.getScript().isEmpty()) {
            putTexts(main, "command", List.of("/bin/sh", "-c", job.getScript()));
        }
    }

    private static void putTexts(ObjectNode main, String field, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode list = main.putArray(field);
            texts.forEach(text -> list.add(JobEnvironment.literal(text)));
        }
    }

    private long milliCpu() {
        TaskSpec job = order.getSpec();
        return job.getMilliCpu() > 0 ? job.getMilliCpu() : job.getCpuCores() * MILLIS;
    }

    private Map<String, Integer> slices() {
        Map<String, Integer> slices = new TreeMap<>();
        for (MigSlice slice : order.getSlicesList()) {
            slices.merge(slice.getProfile(), 1, Integer::sum);
        }
        return slices;
    }

    private int wholeGpus() {
        return order.getSlicesCount() > 0 ? 0 : order.getGpusCount();
    }

    private void putResources(ObjectNode resources) {
        if (wholeGpus() > 0 && order.getGpuMilli() > 0 && order.getGpuMilli() < MILLIS) {
            throw new UnusableJob(
                    "gpu share: pods get whole GPUs or MIG slices; ask for one of these");
        }
        for (String kind : List.of("requests", "limits")) {
            ObjectNode amounts = resources.putObject(kind);
            if (milliCpu() > 0 && kind.equals("requests")) {
                amounts.put(PodResources.CPU, milliCpu() + "m");
            }
            if (order.getSpec().getMemoryMb() > 0) {
                amounts.put(PodResources.MEMORY, order.getSpec().getMemoryMb() + "Mi");
            }
            if (wholeGpus() > 0) {
                amounts.put(PodResources.GPU, Integer.toString(wholeGpus()));
            }
            slices().forEach(
                            (name, count) ->
                                    amounts.put(
                                            PodResources.MIG + name.replace('+', '.'),
                                            count.toString()));
        }
    }

    /// No pod may take more than what the scheduler has counted for its task.
    private void checkResources(ObjectNode pod) {
        PodResources asked = PodResources.of(pod);
        if (asked.gpus() != wholeGpus() || !asked.slices().equals(slices())) {
            throw new UnusableJob(
                    "template.spec.containers: their GPUs differ from those of the job; make them"
                            + " equal");
        }
        if (asked.milliCpu() > milliCpu() || asked.memoryMiB() > order.getSpec().getMemoryMb()) {
            throw new UnusableJob(
                    "template.spec.containers: they ask for more processors or memory than the"
                            + " job; raise cpu_milli and memory_mb of the job");
        }
    }

    /// The name of rank 0, which is known before its pod exists.
    private String master() {
        return "%s-0.%s.%s.svc".formatted(gang(), gang(), namespace());
    }

    /// The Service belongs to the pod of rank 0 and is deleted with it. It has no address of its
    /// own, and names pods from the beginning: ranks meet before any of them is ready.
    ObjectNode service(String masterUid) {
        ObjectNode service = JsonNodeFactory.instance.objectNode();
        service.put("apiVersion", "v1").put("kind", "Service");
        ObjectNode metadata = service.putObject("metadata");
        metadata.put("name", gang()).put("namespace", namespace());
        metadata.putObject("labels").put(MANAGED_BY, "gpu-scheduler").put(RUN, gang());
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("name", name())
                .put("uid", masterUid);
        ObjectNode spec = service.putObject("spec");
        spec.put("clusterIP", "None").put("publishNotReadyAddresses", true);
        spec.putObject("selector").put(RUN, gang());
        spec.putArray("ports")
                .addObject()
                .put("name", "rendezvous")
                .put("port", JobEnvironment.MASTER_PORT);
        return service;
    }
}
