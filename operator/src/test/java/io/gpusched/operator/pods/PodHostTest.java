package io.gpusched.operator.pods;

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
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// The host against an API server, with the changes of pods passed on by hand.
@Timeout(60)
final class PodHostTest {
    private static final String BINDING = ".*/pods/[^/]*/binding.*";

    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());
    private final List<PodKey> released = new CopyOnWriteArrayList<>();
    private final Set<String> known = new LinkedHashSet<>();
    private ClusterPicture picture = picture();
    private PodHost host = host();

    @BeforeEach
    void aClusterOfTwoNodes() {
        namespace("team");
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
    void aPodIsBoundWithItsIdentity() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
        JsonNode bound = find("a");
        assertThat(bound.at("/spec/nodeName").asText()).isEqualTo("n1");
        assertThat(PodIdentity.of(bound)).isEqualTo(new PodIdentity(ref(1, 0), "job-1", 1, ""));
        assertThat(host.isTask(pod.uid())).isTrue();
    }

    @Test
    void toPrepareIsATrialThatChangesNothing() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(prepare(1, 0, pod)));
        soon(() -> report(1).hasPrepared());
        assertThat(find("a").at("/spec/nodeName").asText("")).isEmpty();
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
    }

    @Test
    void anAnswerThatIsLostLeadsToNoRefusal() {
        PodKey pod = created("a", 2);
        server.faults().loseAnswer("POST", BINDING, 1);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
        assertThat(find("a").at("/spec/nodeName").asText()).isEqualTo("n1");
    }

    @Test
    void aServerThatIsAwayIsAskedAgain() {
        PodKey pod = created("a", 2);
        server.faults().refuse("POST", BINDING, 503, 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
    }

    @Test
    void aPodThatAnotherSchedulerBoundIsAnOrdinaryRefusal() {
        PodKey pod = created("a", 2);
        bindByAnother("a", "n2");
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRefused());
        assertThat(report(1).getRefused().getOrdinary()).isTrue();
        assertThat(report(1).getRefused().getReason()).contains("already assigned");
        assertThat(released).containsExactly(pod);
        assertThat(host.isTask(pod.uid())).isFalse();
    }

    @Test
    void aPodThatIsGoneIsAnOrdinaryRefusal() {
        PodKey pod = created("a", 2);
        api.delete(ResourceType.PODS, "team", "a", DeleteOptions.only(pod.uid()).grace(0));
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRefused());
        assertThat(report(1).getRefused().getReason()).contains("no longer exists");
    }

    @Test
    void aNodeWithoutRoomIsAnOrdinaryRefusal() {
        PodKey other = created("other", 3);
        bindByAnother("other", "n1");
        see();
        assertThat(other.uid()).isNotEmpty();
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRefused());
        assertThat(report(1).getRefused().getReason())
                .isEqualTo("node n1 has 1 of nvidia.com/gpu left, and the pod asks for 2");
    }

    @Test
    void aVerbThatIsForbiddenIsNamedWithItsRemedy() {
        PodKey pod = created("a", 2);
        server.faults().refuse("POST", BINDING, 403, 1);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRefused());
        assertThat(report(1).getRefused().getReason()).contains("give the operator's role");
        assertThat(report(1).getRefused().getRetryAfterMillis()).isEqualTo(30_000);
    }

    @Test
    void nothingIsStartedByAnAssignmentFromBeforeABreak() {
        PodKey pod = created("a", 2);
        List<TaskOrder> orders = List.of(run(1, 0, pod));
        host.restrain("n1", orders);
        assertThat(host.callsInFlight()).isZero();
        host.converge("n1", orders);
        soon(() -> report(1).hasRunning());
    }

    @Test
    void aPodThatEndsIsReportedWithItsExitCode() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
        status(
                "a",
                "{phase: Failed, containerStatuses: [{name: main, state: {terminated: {exitCode: 3,"
                        + " reason: Error}}}]}");
        see();
        TaskReport.Ended ended = report(1).getEnded();
        assertThat(ended.getHow()).isEqualTo(TaskReport.How.EXITED);
        assertThat(ended.getExitCode()).isEqualTo(3);
        assertThat(ended.getDetail()).isEqualTo("container main: Error");
        assertThat(host.isTask(pod.uid())).isFalse();
    }

    @Test
    void whatHasEndedStaysEndedUntilItIsNoLongerWanted() {
        PodKey pod = created("a", 2);
        List<TaskOrder> orders = List.of(run(1, 0, pod));
        host.converge("n1", orders);
        soon(() -> report(1).hasRunning());
        status("a", "{phase: Succeeded}");
        see();
        host.acknowledged(ref(1, 0));
        assertThat(host.tasks()).isEmpty();
        host.converge("n1", List.copyOf(orders));
        assertThat(host.size()).isEqualTo(1);
        host.converge("n1", List.of());
        assertThat(host.size()).isZero();
        see();
        assertThat(host.size()).isZero();
    }

    @Test
    void toStopIsToEvictWithinBudgets() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
        server.faults().refuse("POST", ".*/eviction.*", 429, 1);
        host.converge("n1", List.of(stop(1, 0, pod, "preempted")));
        soon(() -> find("a").at("/metadata").has("deletionTimestamp"));
        assertThat(server.requests("create pods/eviction")).isEqualTo(1);
        see();
        assertThat(report(1).hasRunning()).isTrue();
        api.delete(ResourceType.PODS, "team", "a", DeleteOptions.only(pod.uid()).grace(0));
        see();
        assertThat(report(1).getEnded().getHow()).isEqualTo(TaskReport.How.STOPPED);
        assertThat(report(1).getEnded().getDetail()).isEqualTo("preempted");
    }

    @Test
    void aPodThatWasNotBoundIsStoppedWithoutTouchingIt() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(prepare(1, 0, pod)));
        soon(() -> report(1).hasPrepared());
        host.converge("n1", List.of(stop(1, 0, pod, "cancelled")));
        assertThat(report(1).getEnded().getHow()).isEqualTo(TaskReport.How.STOPPED);
        assertThat(released).containsExactly(pod);
        assertThat(find("a").path("metadata").has("deletionTimestamp")).isFalse();
    }

    @Test
    void ofAGangThatWasNeverWholeNoPodStays() {
        PodKey a = created("a", 2);
        PodKey b = created("b", 2);
        bindByAnother("b", "n2");
        host.converge("n1", List.of(run(1, 0, a, b)));
        host.converge("n2", List.of(run(1, 1, a, b)));
        soon(() -> report(1, 0).hasRunning() && report(1, 1).hasRefused());
        host.converge("n1", List.of(stop(1, 0, "start failed", a, b)));
        soon(() -> find("a").path("metadata").has("deletionTimestamp"));
        assertThat(server.requests("create pods/eviction")).isZero();
    }

    @Test
    void aPodThatFailsInAWholeGangStopsNoOther() {
        PodKey a = created("a", 2);
        PodKey b = created("b", 2);
        host.converge("n1", List.of(run(1, 0, a, b), run(1, 1, a, b)));
        soon(() -> report(1, 0).hasRunning() && report(1, 1).hasRunning());
        status("a", "{phase: Failed, reason: OOMKilled}");
        see();
        TaskReport.Ended first = report(1, 0).getEnded();
        assertThat(first.getExitCode()).isZero();
        assertThat(first.getDetail())
                .isEqualTo("the other pods go on; pod team/a: the pod failed: OOMKilled");
        status("b", "{phase: Succeeded}");
        see();
        TaskReport.Ended last = report(1, 1).getEnded();
        assertThat(last.hasExitCode()).isFalse();
        assertThat(last.getDetail()).isEqualTo("pod team/a: the pod failed: OOMKilled");
    }

    @Test
    void aRestartedHostFindsItsTasksOnThePods() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
        host.close();
        picture = picture();
        picture.put(KubeYaml.node("n1", 4));
        host = host();
        see();
        assertThat(report(1).hasRunning()).isTrue();
        assertThat(host.isTask(pod.uid())).isTrue();
        host.converge("n1", List.of(run(1, 0, pod)));
        assertThat(server.requests("create pods/binding")).isEqualTo(1);
    }

    @Test
    void aBoundPodThatTheSchedulerDoesNotNameIsLeftAlone() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
        see();
        host.converge("n1", List.of());
        see();
        assertThat(host.size()).isZero();
        assertThat(find("a").path("metadata").has("deletionTimestamp")).isFalse();
        assertThat(picture.changes().getForeignList())
                .anyMatch(use -> use.getTasksList().stream().anyMatch(t -> t.getGpus() == 2));
    }

    @Test
    void aPodThatIsDeletedWhileItIsBoundEnds() {
        PodKey pod = created("a", 2);
        see();
        try (var _ = server.faults().hold("POST", BINDING)) {
            host.converge("n1", List.of(run(1, 0, pod)));
            soon(() -> host.callsInFlight() == 1);
            api.delete(ResourceType.PODS, "team", "a", DeleteOptions.only(pod.uid()).grace(0));
            see();
        }
        soon(() -> report(1).hasRefused());
    }

    @Test
    void aVolumeIsBoundOnTheChosenNodeBeforeThePod() {
        server.create(
                ResourceType.STORAGE_CLASSES,
                KubeYaml.object(
                        "{metadata: {name: late}, provisioner: d.example.com, volumeBindingMode:"
                                + " WaitForFirstConsumer}"));
        server.create(
                ResourceType.VOLUME_CLAIMS,
                KubeYaml.object(
                        "{metadata: {namespace: team, name: data}, spec: {storageClassName: late,"
                                + " accessModes: [ReadWriteOnce], resources: {requests: {storage:"
                                + " 1Gi}}}}"));
        ObjectNode pod = KubeYaml.gpuPod("a", 1);
        ((ObjectNode) pod.get("spec"))
                .set(
                        "volumes",
                        KubeYaml.object(
                                        "v: [{name: data, persistentVolumeClaim: {claimName:"
                                                + " data}}]")
                                .get("v"));
        PodKey key = create(pod);
        host.converge("n1", List.of(run(1, 0, key)));
        soon(
                () ->
                        find(ResourceType.VOLUME_CLAIMS, "data")
                                .at("/metadata/annotations")
                                .path("volume.kubernetes.io/selected-node")
                                .asText()
                                .equals("n1"));
        assertThat(server.requests("create pods/binding")).isZero();
        api.create(ResourceType.VOLUMES, "", KubeYaml.object("{metadata: {name: v}, spec: {}}"));
        patch(ResourceType.VOLUME_CLAIMS, "data", "", "{spec: {volumeName: v}}");
        patch(ResourceType.VOLUME_CLAIMS, "data", "status", "{status: {phase: Bound}}");
        soon(() -> report(1).hasRunning());
    }

    @Test
    void theOutputOfAPodIsReadInPieces() {
        PodKey pod = created("a", 2);
        host.converge("n1", List.of(run(1, 0, pod)));
        soon(() -> report(1).hasRunning());
        server.log("team", "a", "hello, world\n");
        soon(() -> host.logMark(ref(1, 0)).end() == 13);
        var request = LogRequest.newBuilder().setTask(ref(1, 0)).setOffset(7).setMaxBytes(5);
        assertThat(host.log(request.build()).getContent().toStringUtf8()).isEqualTo("world");
        assertThat(host.log(request.setTask(ref(9, 0)).build()).getProblem()).isNotEmpty();
    }

    // ---------------------------------------------------------------------------------- helpers

    private ClusterPicture picture() {
        return new ClusterPicture(new NodeLabels("c"), uid -> host.isTask(uid));
    }

    private PodHost host() {
        ClusterObjects objects = this::find;
        return new PodHost(
                api,
                objects,
                picture,
                8,
                new PodHost.PodListener() {
                    @Override
                    public void owned(String uid) {
                        picture.changeOwner(uid);
                    }

                    @Override
                    public void released(PodKey pod) {
                        released.add(pod);
                    }
                });
    }

    private void namespace(String name) {
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: " + name + "}"));
    }

    private PodKey created(String name, int gpus) {
        return create(KubeYaml.gpuPod(name, gpus));
    }

    private PodKey create(ObjectNode pod) {
        ((ObjectNode) pod.get("metadata")).remove(List.of("uid", "creationTimestamp"));
        pod.remove("status");
        ((ObjectNode) pod.at("/spec/containers/0")).put("image", "none");
        return PodKey.of(api.create(ResourceType.PODS, "team", pod));
    }

    private void bindByAnother(String name, String node) {
        api.post(
                ResourceType.PODS,
                "team",
                name,
                "binding",
                KubeYaml.object(
                        "{apiVersion: v1, kind: Binding, metadata: {name: %s}, target: {kind: Node, name: %s}}"
                                .formatted(name, node)));
    }

    private void status(String name, String status) {
        patch(ResourceType.PODS, name, "status", "{status: " + status + "}");
    }

    private void patch(ResourceType type, String name, String sub, String patch) {
        api.patch(type, "team", name, sub, KubeApi.PatchKind.MERGE, KubeYaml.object(patch));
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

    private JsonNode find(String name) {
        return find(ResourceType.PODS, name);
    }

    private JsonNode find(ResourceType type, String name) {
        return find(type, "team", name);
    }

    private JsonNode find(ResourceType type, String namespace, String name) {
        ObjectNode found = server.find(type, type.namespaced() ? namespace : "", name);
        return found == null ? MissingNode.getInstance() : found;
    }

    private TaskReport report(long job) {
        return report(job, 0);
    }

    private TaskReport report(long job, int rank) {
        return host.tasks().stream()
                .filter(report -> report.getTask().equals(ref(job, rank)))
                .findFirst()
                .orElse(TaskReport.getDefaultInstance());
    }

    private static TaskRef ref(long job, int rank) {
        return TaskRef.newBuilder().setJob(job).setAttempt(1).setTerm(7).setRank(rank).build();
    }

    private static TaskOrder prepare(long job, int rank, PodKey... pods) {
        return order(job, rank, pods, order -> order.setPrepare(TaskOrder.Prepare.newBuilder()));
    }

    private static TaskOrder run(long job, int rank, PodKey... pods) {
        return order(job, rank, pods, order -> order.setRun(TaskOrder.Run.newBuilder()));
    }

    private static TaskOrder stop(long job, int rank, PodKey pod, String cause) {
        return stop(job, rank, cause, pod);
    }

    private static TaskOrder stop(long job, int rank, String cause, PodKey... pods) {
        return order(
                job,
                rank,
                pods,
                order -> order.setStop(TaskOrder.Stop.newBuilder().setCause(cause)));
    }

    private static TaskOrder order(
            long job, int rank, PodKey[] pods, UnaryOperator<TaskOrder.Builder> what) {
        TaskOrder.Builder order = TaskOrder.newBuilder().setTask(ref(job, rank));
        order.getSpecBuilder()
                .setJobId("job-" + job)
                .setAttachment(new Attachment("cluster", List.of(pods)).text());
        return what.apply(order).build();
    }

    private static void soon(BooleanSupplier holds) {
        long until = System.nanoTime() + 20_000_000_000L;
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - until).as("not within 20 s").isNegative();
            LockSupport.parkNanos(5_000_000);
        }
    }
}
