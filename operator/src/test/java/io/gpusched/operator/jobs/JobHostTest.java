package io.gpusched.operator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.cluster.NodeLabels;
import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;
import io.gpusched.operator.pods.ClusterObjects;
import io.gpusched.operator.pods.PodIdentity;
import io.gpusched.operator.pods.PodKey;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.Rendezvous;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// The host against an API server, with the changes of pods passed on by hand.
@Timeout(60)
final class JobHostTest {
    private static final String POD = "train-1-1-0";

    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());
    private final Set<String> known = new LinkedHashSet<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private ClusterPicture picture = picture();
    private JobHost host = host();

    @BeforeEach
    void aClusterOfTwoNodes() {
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: team}"));
        for (String name : List.of("n1", "n2")) {
            ObjectNode node = KubeYaml.node(name, 4);
            server.create(ResourceType.NODES, node);
            picture.put(node);
        }
    }

    @AfterEach
    void closeAll() {
        host.close();
        api.close();
        server.close();
    }

    @Test
    void aJobBecomesAPodOnItsNode() {
        TaskOrder.Builder order = run(1, 0);
        order.addGpus(2).addGpus(3);
        order.getSpecBuilder()
                .setScript("echo $HOME $$")
                .putEnvironment("A", "$(B)")
                .putEnvironment("NVIDIA_VISIBLE_DEVICES", "all")
                .setMilliCpu(1500)
                .setMemoryMb(64)
                .setTimeLimitMillis(90_500)
                .setGraceMillis(20_000);
        started(order);
        JsonNode pod = find(POD);
        JsonNode main = pod.at("/spec/containers/0");
        assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("n1");
        assertThat(pod.at("/spec/restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/spec/activeDeadlineSeconds").asInt()).isEqualTo(91);
        assertThat(pod.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(20);
        assertThat(main.at("/command/2").asText()).isEqualTo("echo $$HOME $$$$");
        assertThat(main.at("/resources/limits/nvidia.com~1gpu").asText()).isEqualTo("2");
        assertThat(main.at("/resources/requests/cpu").asText()).isEqualTo("1500m");
        assertThat(variable(main, "A")).isEqualTo("$$(B)");
        assertThat(variable(main, "GPU_SCHEDULER_JOB_ID")).isEqualTo("job-1");
        assertThat(variable(main, "NVIDIA_VISIBLE_DEVICES")).isEmpty();
        assertThat(PodIdentity.of(pod)).isEqualTo(new PodIdentity(ref(1, 0), "job-1", 1, "2,3"));
        assertThat(host.isTask(PodKey.of(pod).uid())).isTrue();
    }

    @Test
    void aGangMeetsByAServiceOfItsFirstPod() {
        TaskOrder.Builder first = run(1, 0);
        TaskOrder.Builder second = run(1, 1);
        for (TaskOrder.Builder order : List.of(first, second)) {
            order.getRunBuilder().setRendezvous(Rendezvous.newBuilder().setWorldSize(2));
        }
        host.converge("n1", List.of(first.build()));
        host.converge("n2", List.of(second.build()));
        soon(() -> !find(ResourceType.SERVICES, "train-1-1").isMissingNode());
        soon(() -> !find("train-1-1-1").isMissingNode());
        JsonNode service = find(ResourceType.SERVICES, "train-1-1");
        assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
        assertThat(service.at("/metadata/ownerReferences/0/uid").asText())
                .isEqualTo(PodKey.of(find(POD)).uid());
        JsonNode main = find("train-1-1-1").at("/spec/containers/0");
        assertThat(variable(main, "MASTER_ADDR")).isEqualTo("train-1-1-0.train-1-1.team.svc");
        assertThat(variable(main, "MASTER_PORT")).isEqualTo("29500");
        assertThat(variable(main, "RANK")).isEqualTo("1");
        assertThat(variable(main, "WORLD_SIZE")).isEqualTo("2");
    }

    @Test
    void toPrepareCreatesNothing() {
        TaskOrder.Builder order = run(1, 0).setPrepare(TaskOrder.Prepare.getDefaultInstance());
        host.converge("n1", List.of(order.build()));
        soon(() -> report(1).hasPrepared());
        assertThat(server.all(ResourceType.PODS)).isEmpty();
    }

    @Test
    void anAnswerThatIsLostLeadsToOnePod() {
        server.faults().loseAnswer("POST", ".*/pods", 1);
        started(run(1, 0));
        assertThat(server.all(ResourceType.PODS)).hasSize(1);
    }

    @Test
    void aJobWithoutAnImageIsRefused() {
        TaskOrder.Builder order = run(1, 0);
        order.getSpecBuilder().clearImage();
        assertThat(refusal(order)).contains("image: a job needs a container image");
        assertThat(report(1).getRefused().getOrdinary()).isFalse();
    }

    @Test
    void aNamespaceOfAnotherTenantIsRefused() {
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: other}"));
        TaskOrder.Builder order = run(1, 0);
        order.getSpecBuilder().setAttachment("{\"kind\":\"template\",\"namespace\":\"other\"}");
        assertThat(refusal(order)).contains("does not belong to tenant team");
    }

    @Test
    void aNamespaceMayBeGivenToATenant() {
        server.create(
                ResourceType.NAMESPACES,
                KubeYaml.object(
                        "metadata: {name: lab, annotations: {gpu-scheduler.io/tenant: team}}"));
        TaskOrder.Builder order = run(1, 0);
        order.getSpecBuilder().setAttachment("{\"kind\":\"template\",\"namespace\":\"lab\"}");
        host.converge("n1", List.of(order.build()));
        soon(() -> server.find(ResourceType.PODS, "lab", POD) != null);
    }

    @Test
    void aTemplateThatReachesForTheNodeIsRefused() {
        assertThat(refusal(template("{\"hostNetwork\":true}"))).contains("hostNetwork");
        assertThat(
                        refusal(
                                template(
                                        "{\"volumes\":[{\"name\":\"v\",\"hostPath\":{\"path\":\"/\"}}]}")))
                .contains("hostPath");
        assertThat(
                        refusal(
                                template(
                                        "{\"containers\":[{\"securityContext\":{\"privileged\":true}}]}")))
                .contains("privileged");
    }

    @Test
    void aPodThatEndsIsReportedWithItsCodeAndKeptForItsOutput() {
        started(run(1, 0));
        server.log("team", POD, "hello world\n");
        soon(() -> host.logMark(ref(1, 0)).end() == 12);
        status(
                "{phase: Failed, containerStatuses: [{name: main, state: {terminated: {exitCode: 3,"
                        + " reason: Error}}}]}");
        see();
        TaskReport.Ended ended = report(1).getEnded();
        assertThat(ended.getHow()).isEqualTo(TaskReport.How.EXITED);
        assertThat(ended.getExitCode()).isEqualTo(3);
        host.acknowledged(ref(1, 0));
        host.converge("n1", List.of());
        host.tidy();
        var request = LogRequest.newBuilder().setTask(ref(1, 0)).setOffset(6).setMaxBytes(5);
        assertThat(host.log(request.build()).getContent().toStringUtf8()).isEqualTo("world");
        now = now.plus(Duration.ofMinutes(31));
        host.tidy();
        soon(() -> find(POD).isMissingNode());
        see();
        assertThat(host.size()).isZero();
    }

    @Test
    void aTimeLimitAndANodeThatEvictsAreNotTheJobsOwnEnds() {
        started(run(1, 0));
        status("{phase: Failed, reason: DeadlineExceeded}");
        see();
        assertThat(report(1).getEnded().getHow()).isEqualTo(TaskReport.How.TIMEOUT);
        JsonNode evicted = KubeYaml.object("status: {phase: Failed, reason: Evicted}");
        assertThat(JobEnd.of(evicted).how()).isEqualTo(TaskReport.How.LOST);
    }

    @Test
    void toStopIsToDeleteThisVeryPod() {
        started(run(1, 0));
        TaskOrder.Builder stop =
                run(1, 0)
                        .setStop(
                                TaskOrder.Stop.newBuilder()
                                        .setGraceMillis(5000)
                                        .setCause("cancelled"));
        host.converge("n1", List.of(stop.build()));
        soon(() -> find(POD).at("/metadata/deletionGracePeriodSeconds").asInt() == 5);
        erase();
        assertThat(report(1).getEnded().getHow()).isEqualTo(TaskReport.How.STOPPED);
        assertThat(report(1).getEnded().getDetail()).isEqualTo("cancelled");
    }

    @Test
    void changesAreToldOnce() {
        started(run(1, 0));
        assertThat(host.changes().reports()).containsExactly(report(1));
        assertThat(host.changes().reports()).isEmpty();
        erase();
        assertThat(host.changes().reports()).containsExactly(report(1));
        host.acknowledged(ref(1, 0));
        host.converge("n1", List.of());
        // The request that made the pod may still be about to end.
        var gone = new ArrayList<TaskRef>();
        soon(() -> gone.addAll(host.changes().gone()));
        assertThat(gone).containsExactly(ref(1, 0));
    }

    @Test
    void aPodThatSomebodyDeletesIsLost() {
        started(run(1, 0));
        erase();
        assertThat(report(1).getEnded().getHow()).isEqualTo(TaskReport.How.LOST);
    }

    @Test
    void anotherOperatorFindsItsTasksAgain() {
        started(run(1, 0));
        host.close();
        picture = picture();
        host = host();
        see();
        assertThat(report(1).hasRunning()).isTrue();
        host.converge("n1", List.of());
        soon(() -> find(POD).path("metadata").has("deletionTimestamp"));
    }

    // ---------------------------------------------------------------------------------- helpers

    private ClusterPicture picture() {
        return new ClusterPicture(new NodeLabels("c"), uid -> host.isTask(uid));
    }

    private JobHost host() {
        ClusterObjects objects = this::find;
        return new JobHost(
                api,
                objects,
                picture,
                new JobHost.Settings("gpu-scheduler", 8, Duration.ofMinutes(30), () -> now),
                uid -> picture.changeOwner(uid));
    }

    private void started(TaskOrder.Builder order) {
        host.converge("n1", List.of(order.build()));
        soon(() -> !find(POD).isMissingNode());
        see();
        assertThat(report(1).hasRunning()).isTrue();
    }

    private String refusal(TaskOrder.Builder order) {
        host.close();
        host = host();
        host.converge("n1", List.of(order.build()));
        soon(() -> report(1).hasRefused());
        assertThat(server.all(ResourceType.PODS)).isEmpty();
        return report(1).getRefused().getReason();
    }

    private static TaskOrder.Builder template(String spec) {
        TaskOrder.Builder order = run(1, 0);
        order.getSpecBuilder()
                .setAttachment("{\"kind\":\"template\",\"template\":{\"spec\":" + spec + "}}");
        return order;
    }

    private void status(String status) {
        api.patch(
                ResourceType.PODS,
                "team",
                POD,
                "status",
                KubeApi.PatchKind.MERGE,
                KubeYaml.object("{status: " + status + "}"));
    }

    private void erase() {
        String uid = PodKey.of(find(POD)).uid();
        api.delete(ResourceType.PODS, "team", POD, DeleteOptions.only(uid).grace(0));
        see();
    }

    /// Passes the present state of all pods on, as a cache does.
    private void see() {
        Set<String> present = new LinkedHashSet<>();
        for (ObjectNode pod : server.all(ResourceType.PODS)) {
            String uid = PodKey.of(pod).uid();
            present.add(uid);
            known.add(uid);
            picture.putPod(pod);
            host.put(pod);
        }
        for (String uid : new ArrayList<>(known)) {
            if (!present.contains(uid)) {
                known.remove(uid);
                picture.removePod(uid);
                host.remove(uid);
            }
        }
    }

    private static String variable(JsonNode container, String name) {
        for (JsonNode each : container.path("env")) {
            if (each.path("name").asText().equals(name)) {
                return each.path("value").asText();
            }
        }
        return "";
    }

    private JsonNode find(String pod) {
        return find(ResourceType.PODS, pod);
    }

    private JsonNode find(ResourceType type, String name) {
        return find(type, "team", name);
    }

    private JsonNode find(ResourceType type, String namespace, String name) {
        ObjectNode found = server.find(type, type.namespaced() ? namespace : "", name);
        return found == null ? MissingNode.getInstance() : found;
    }

    private TaskReport report(long job) {
        return host.tasks().stream()
                .filter(report -> report.getTask().equals(ref(job, 0)))
                .findFirst()
                .orElse(TaskReport.getDefaultInstance());
    }

    private static TaskRef ref(long job, int rank) {
        return TaskRef.newBuilder().setJob(job).setAttempt(1).setTerm(7).setRank(rank).build();
    }

    private static TaskOrder.Builder run(long job, int rank) {
        TaskOrder.Builder order = TaskOrder.newBuilder().setTask(ref(job, rank));
        order.getSpecBuilder()
                .setJobId("job-" + job)
                .setJobName("Train")
                .setTenantId("team")
                .setImage("busybox");
        return order.setRun(TaskOrder.Run.getDefaultInstance());
    }

    private static void soon(BooleanSupplier holds) {
        long until = System.nanoTime() + 20_000_000_000L;
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - until).as("not within 20 s").isNegative();
            LockSupport.parkNanos(5_000_000);
        }
    }
}
