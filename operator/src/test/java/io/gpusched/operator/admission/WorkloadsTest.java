package io.gpusched.operator.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;
import io.gpusched.operator.scheduler.JobState;
import io.gpusched.operator.scheduler.SubmissionResult;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A Job from its submission to its end, with the orders of a scheduler written by the test.
final class WorkloadsTest {
    private static final ResourceType JOBS = new ResourceType("batch", "v1", "jobs", "Job", true);

    private final FakeApiServer cluster = FakeApiServer.start();
    private final Scheduler scheduler = new Scheduler();
    private final List<String> events = new ArrayList<>();
    private Workloads workloads = begin("admin");
    private List<QueuedWorkload.Ordered> orders = List.of();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /// Accepts everything.
    private static final class Scheduler implements JobService {
        private final List<ObjectNode> submitted = new ArrayList<>();
        private final List<String> keys = new ArrayList<>();
        private final List<String> cancelled = new ArrayList<>();

        @Override
        public SubmissionResult submit(String key, ObjectNode body) {
            keys.add(key);
            submitted.add(body.deepCopy());
            return new SubmissionResult.Accepted("job-" + submitted.size());
        }

        @Override
        public void cancel(String job) {
            cancelled.add(job);
        }

        @Override
        public JobState explain(String job) {
            return new JobState(job, "pending", "no node has 2 free GPUs", "");
        }

        @Override
        public void activeJobs(Consumer<JobState> each) {}

        @Override
        public String ensureTenant(String tenant) {
            return "";
        }
    }

    private Workloads begin(String token) {
        var calls = new WorkloadCalls(new HttpKubeApi(cluster.config(token)));
        return new Workloads(
                new Queueing(
                        new Queueing.Wiring(
                                scheduler,
                                calls,
                                (_, _, _) -> MissingNode.getInstance(),
                                (_, _, reason, message) -> events.add(reason + ": " + message),
                                _ -> {},
                                "cluster",
                                "gpu-scheduler")),
                calls);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aGangIsReleasedAsAWholeAndEachPodGetsItsNode() {
        String uid = createJob("parallelism: 2", "");
        turn();
        assertThat(scheduler.submitted.getFirst().path("gpu_count").asInt()).isEqualTo(4);
        assertThat(scheduler.submitted.getFirst().path("tasks").asInt()).isEqualTo(2);
        turn();
        assertThat(events).containsExactly("NotAdmitted: job-1: no node has 2 free GPUs");
        assertThat(job().at("/metadata/annotations").path("gpu-scheduler.io/waits").asText())
                .contains("no node");
        order(uid, 1, Order.PREPARE, Order.RUN);
        turn();
        assertThat(suspended()).isTrue();
        assertThat(workloads.reports()).hasSize(2).allMatch(TaskReport::hasPrepared);
        order(uid, 1, Order.RUN, Order.RUN);
        turn();
        assertThat(suspended()).isFalse();
        assertThat(workloads.reports()).hasSize(2).allMatch(TaskReport::hasRunning);
        createPod("a", uid);
        createPod("b", uid);
        createPod("c", uid);
        turn();
        assertThat(node("a")).isEqualTo("node-0");
        assertThat(node("b")).isEqualTo("node-1");
        assertThat(node("c")).isEmpty();
        turn();
        assertThat(workloads.taskPods()).hasSize(2);
        assertThat(events.getLast()).contains("more pods than were admitted");
    }

    @Test
    void aStopSuspendsAndEndsWhenThePodsAreGone() {
        String uid = createJob("parallelism: 1", "");
        run(uid);
        createPod("a", uid);
        turn();
        order(uid, 1, Order.STOP);
        turn();
        assertThat(suspended()).isTrue();
        turn();
        assertThat(workloads.reports()).allMatch(TaskReport::hasRunning);
        removePod("a");
        turn();
        TaskReport report = workloads.reports().getFirst();
        assertThat(report.getEnded().getHow()).isEqualTo(TaskReport.How.STOPPED);
        workloads.acknowledged(report.getTask());
        orders = List.of();
        turn();
        turn();
        assertThat(workloads.reports()).isEmpty();
        assertThat(scheduler.cancelled).isEmpty();
        order(uid, 2, Order.RUN);
        turn();
        turn();
        assertThat(suspended()).isFalse();
    }

    @Test
    void aCompleteJobEndsItsTasks() {
        String uid = createJob("parallelism: 1", "");
        run(uid);
        ObjectNode done = job().deepCopy();
        done.putObject("status").putArray("conditions").addObject().put("type", "Complete");
        ((ObjectNode) done.at("/status/conditions/0")).put("status", "True");
        cluster.plant(JOBS, done);
        turn();
        TaskReport.Ended ended = workloads.reports().getFirst().getEnded();
        assertThat(ended.getHow()).isEqualTo(TaskReport.How.EXITED);
        assertThat(ended.getExitCode()).isZero();
    }

    @Test
    void aDeletedWorkloadCancelsItsJob() {
        String uid = createJob("parallelism: 1", "");
        run(uid);
        workloads.remove(uid);
        workloads.turn(orders, now.plusSeconds(60));
        assertThat(scheduler.cancelled).containsExactly("job-1");
        assertThat(workloads.reports().getFirst().getEnded().getHow())
                .isEqualTo(TaskReport.How.STOPPED);
    }

    @Test
    void anotherOperatorGoesOn() {
        String uid = createJob("parallelism: 1", "");
        run(uid);
        createPod("a", uid);
        turn();
        workloads = begin("admin");
        turn();
        assertThat(workloads.reports()).hasSize(1).allMatch(TaskReport::hasRunning);
        assertThat(workloads.taskPods()).hasSize(1);
        assertThat(scheduler.submitted).hasSize(1);
    }

    @Test
    void whatCannotBeAdmittedIsSaid() {
        createJob("parallelism: 0", "");
        turn();
        assertThat(events)
                .containsExactly(
                        "NotAdmitted: the workload has no pods to start; set its counts above 0");
        assertThat(scheduler.submitted).isEmpty();
    }

    @Test
    void podsOfOurOwnSchedulerAreNotAdmittedTwice() {
        createJob("parallelism: 1", "schedulerName: gpu-scheduler,");
        turn();
        assertThat(events).hasSize(1).allMatch(event -> event.contains("schedulerName"));
    }

    @Test
    void aRefusedChangeIsSaidAndTheStartRefused() {
        cluster.access()
                .grant(
                        "reader",
                        "",
                        KubeYaml.object(
                                "{rules: [{apiGroups: [batch], resources: [jobs], verbs:"
                                        + " [list]}]}"));
        workloads = begin("reader");
        String uid = createJob("parallelism: 1", "");
        turn();
        order(uid, 1, Order.RUN);
        turn();
        assertThat(suspended()).isTrue();
        assertThat(events.getLast()).contains("role");
        assertThat(workloads.reports()).hasSize(1).allMatch(TaskReport::hasRefused);
    }

    // --------------------------------------------------------------------------------- the scene

    private enum Order {
        PREPARE,
        RUN,
        STOP
    }

    private void run(String uid) {
        turn();
        order(uid, 1, Order.RUN);
        turn();
        assertThat(suspended()).isFalse();
    }

    private void order(String uid, int attempt, Order... each) {
        var all = new ArrayList<QueuedWorkload.Ordered>();
        for (int rank = 0; rank < each.length; rank++) {
            String attachment = "{\"kind\":\"workload\",\"uid\":\"" + uid + "\"}";
            var order =
                    TaskOrder.newBuilder()
                            .setTask(
                                    TaskRef.newBuilder()
                                            .setJob(1)
                                            .setAttempt(attempt)
                                            .setTerm(1)
                                            .setRank(rank))
                            .setSpec(
                                    TaskSpec.newBuilder()
                                            .setJobId("job-1")
                                            .setAttachment(attachment));
            switch (each[rank]) {
                case PREPARE -> order.setPrepare(TaskOrder.Prepare.getDefaultInstance());
                case RUN -> order.setRun(TaskOrder.Run.getDefaultInstance());
                case STOP -> order.setStop(TaskOrder.Stop.getDefaultInstance());
            }
            all.add(new QueuedWorkload.Ordered("node-" + rank, order.build()));
        }
        orders = all;
    }

    /// Tells the newest objects, and takes a turn.
    private void turn() {
        now = now.plusSeconds(10);
        cluster.all(JOBS)
                .forEach(each -> workloads.put(new Workload(WorkloadKind.JOB, JOBS, each), now));
        cluster.all(ResourceType.PODS).forEach(workloads::putPod);
        workloads.turn(orders, now);
    }

    private String createJob(String counts, String podSpec) {
        ObjectNode job =
                KubeYaml.object(
                        """
                        metadata: {namespace: default, name: train, labels: {gpu-scheduler.io/admit: "true"}}
                        spec:
                          suspend: true
                          %s
                          template:
                            spec: {%s containers: [{name: main, image: none, resources: {requests: {cpu: "1", memory: 1Gi, nvidia.com/gpu: "2"}}}]}
                        """
                                .formatted(counts, podSpec));
        return cluster.create(JOBS, job).path("metadata").path("uid").asText();
    }

    private ObjectNode job() {
        return cluster.require(JOBS, "default", "train");
    }

    private boolean suspended() {
        return job().at("/spec/suspend").asBoolean();
    }

    /// As the controller of the Job would.
    private void createPod(String name, String uid) {
        ObjectNode pod = job().path("spec").path("template").deepCopy();
        assertThat(Workload.of(pod)).isEqualTo(uid);
        pod.withObject("/metadata").put("namespace", "default").put("name", name);
        cluster.create(ResourceType.PODS, pod);
    }

    private void removePod(String name) {
        ObjectNode pod = cluster.require(ResourceType.PODS, "default", name);
        cluster.erase(ResourceType.PODS, "default", name);
        workloads.removePod(pod.path("metadata").path("uid").asText());
    }

    /// The node that the pod must run on; empty while it waits.
    private String node(String name) {
        ObjectNode pod = cluster.require(ResourceType.PODS, "default", name);
        return PodGate.isOn(pod)
                ? ""
                : pod.at(
                                "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values/0")
                        .asText();
    }
}
