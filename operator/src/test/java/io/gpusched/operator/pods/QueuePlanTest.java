package io.gpusched.operator.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

final class QueuePlanTest {
    private static final PodReading READY = demand(1);

    private GroupRef group = GroupRef.of("team", "g", 3);

    @Test
    void aGangIsWholeOrNotAJob() {
        assertThat(jobs(pending("a"), pending("b"))).isEmpty();
        assertThat(plan(pending("a"), pending("b")).reasons().values())
                .containsOnly(
                        "group g needs 3 pods, and 2 are there; create the others, or lower the"
                                + " minimum");
        assertThat(jobs(pending("a"), pending("b"), pending("c")))
                .containsExactly(List.of("a", "b", "c"));
    }

    @Test
    void morePodsThanTheMinimumFollowWhenTheGangRuns() {
        QueuePlan plan = plan(pending("a"), pending("b"), pending("c"), pending("d"));
        assertThat(names(plan)).containsExactly(List.of("a", "b", "c"));
        assertThat(plan.reasons())
                .containsOnlyKeys(key("d"))
                .containsValue("group g starts with 3 pods; this one follows when they run");
        assertThat(jobs(bound("a"), bound("b"), bound("c"), pending("d"), pending("e")))
                .containsExactly(List.of("d"), List.of("e"));
    }

    @Test
    void aPodThatReplacesAnotherCompletesItsGang() {
        assertThat(jobs(bound("a"), bound("b"), leaving("c"), pending("d")))
                .containsExactly(List.of("d"));
        assertThat(jobs(bound("a"), leaving("b"), leaving("c"), pending("d"), pending("e")))
                .containsExactly(List.of("d", "e"));
        assertThat(jobs(leaving("a"), leaving("b"), leaving("c"), pending("d"))).isEmpty();
    }

    @Test
    void gatesHoldTheWholeGangBack() {
        QueuePlan plan = plan(pending("a"), pending("b"), gated("c"));
        assertThat(plan.jobs()).isEmpty();
        assertThat(plan.reasons().values())
                .allMatch(why -> why.contains("2 are there, and 1 with scheduling gates"));
    }

    @Test
    void tooManyPodsForAnExactSizeAreSaid() {
        group = new GroupRef("team", "g", 3, true, "");
        QueuePlan plan = plan(pending("a"), pending("b"), pending("c"), pending("d"));
        assertThat(plan.jobs()).isEmpty();
        assertThat(plan.reasons()).hasSize(4);
        assertThat(plan.reasons().values())
                .allMatch(why -> why.contains("set gpu-scheduler.io/group-size to 4"));
    }

    @Test
    void aBrokenMemberIsNamedToTheOthers() {
        QueuePlan plan =
                plan(
                        pending("a"),
                        pending("b"),
                        pod("c", QueuedPod.State.PENDING, new PodReading.Waits("no claim")));
        assertThat(plan.jobs()).isEmpty();
        assertThat(plan.reasons())
                .containsEntry(key("a"), "group g waits for pod c: no claim")
                .containsEntry(key("c"), "no claim");
    }

    @Test
    void differentSizesAreSaid() {
        QueuedPod other = pending("b");
        group = GroupRef.of("team", "g", 2);
        assertThat(plan(pending("a"), other).reasons().values())
                .allMatch(why -> why.contains("different sizes, 2 and 3"));
    }

    @Test
    void ranksFollowAgeThenIndexThenName() {
        QueuedPod ten = pending("p-10");
        QueuedPod two = pending("p-2");
        QueuedPod first =
                new QueuedPod(key("zz"), "2026", 0, QueuedPod.State.PENDING, 0, 30, group, READY);
        assertThat(jobs(ten, two, first)).containsExactly(List.of("zz", "p-2", "p-10"));
    }

    @Test
    void aJobCountsTheAmountsOfAllItsTasks() {
        PodJob job = PodJob.of(List.of(pending("a"), pending("b")), "cluster-uid", "research");
        ObjectNode body = job.body();
        assertThat(job.problem()).isEmpty();
        assertThat(body.get("gpu_count").asInt()).isEqualTo(2);
        assertThat(body.get("tasks").asInt()).isEqualTo(2);
        assertThat(body.get("name").asText()).isEqualTo("g");
        assertThat(body.get("tenant_id").asText()).isEqualTo("research");
        assertThat(Attachment.read(body.get("attachment").asText()))
                .isEqualTo(new Attachment("cluster-uid", List.of(key("a"), key("b"))));
        assertThat(job.key(0)).startsWith("group-").isNotEqualTo(job.key(1));
        assertThat(PodJob.of(List.of(pending("a")), "", "t").key(0)).isEqualTo("uid-a");
    }

    @Test
    void podsThatDifferAreNoGang() {
        QueuedPod large = pod("b", QueuedPod.State.PENDING, demand(8));
        assertThat(PodJob.of(List.of(pending("a"), large), "", "t").problem())
                .contains("make them alike");
    }

    @Test
    void anotherTextIsNoAttachment() {
        assertThat(Attachment.isPods("{\"kind\":\"template\"}")).isFalse();
        assertThat(Attachment.isPods("{")).isFalse();
        assertThat(Attachment.isPods("")).isFalse();
        assertThat(Attachment.read("[]").pods()).isEmpty();
    }

    private List<List<String>> jobs(QueuedPod... pods) {
        return names(plan(pods));
    }

    private static QueuePlan plan(QueuedPod... pods) {
        return QueuePlan.group(Arrays.asList(pods));
    }

    private static List<List<String>> names(QueuePlan plan) {
        return plan.jobs().stream()
                .map(job -> job.stream().map(pod -> pod.key().name()).toList())
                .toList();
    }

    private QueuedPod pending(String name) {
        return pod(name, QueuedPod.State.PENDING, READY);
    }

    private QueuedPod bound(String name) {
        return pod(name, QueuedPod.State.BOUND, READY);
    }

    private QueuedPod leaving(String name) {
        return pod(name, QueuedPod.State.LEAVING, READY);
    }

    private QueuedPod gated(String name) {
        return pod(name, QueuedPod.State.GATED, READY);
    }

    private QueuedPod pod(String name, QueuedPod.State state, PodReading reading) {
        return new QueuedPod(key(name), "2026", Integer.MAX_VALUE, state, 0, 30, group, reading);
    }

    private static PodKey key(String name) {
        return new PodKey("team", name, "uid-" + name);
    }

    private static PodReading demand(int gpus) {
        return new PodReading.Demand(
                JsonNodeFactory.instance.objectNode().put("gpu_count", gpus), List.of(), List.of());
    }
}
