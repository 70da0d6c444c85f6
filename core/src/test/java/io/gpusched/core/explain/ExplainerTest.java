package io.gpusched.core.explain;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Why a job waits, who has what it needs, and what would let it start.
final class ExplainerTest {
    private static List<String> words(Explanation why) {
        return why.changes().stream().map(RequestChange::words).toList();
    }

    private static Explanation explain(Scene scene, JobId job) {
        return scene.explainer().explain(job);
    }

    @Test
    void itSaysWhoHoldsWhatIsNeededTheLargestFirst() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").model("V100-32GB").build());
        JobId small = scene.submit(aJob().gpus(2).model("A100").limit(Duration.ofHours(2)));
        JobId large = scene.submit(aJob().gpus(5).model("A100"));
        scene.submit(aJob().gpus(8).model("V100"));
        JobId job = scene.submit(aJob().gpus(4).model("A100"));
        assertThat(explain(scene, job).holders())
                .extracting(HeldCapacity::job, HeldCapacity::milliGpus, HeldCapacity::expectedEnd)
                .containsExactly(
                        tuple(large, 5000L, scene.now().plus(Duration.ofHours(1))),
                        tuple(small, 2000L, scene.now().plus(Duration.ofHours(2))));
    }

    @Test
    void oneGpuFewerIsTheSmallestChange() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").model("V100-32GB").build());
        scene.submit(aJob().gpus(1).model("A100"));
        JobId job = scene.submit(aJob().gpus(8).model("A100"));
        Explanation why = explain(scene, job);
        assertThat(why.changes().getFirst())
                .extracting(RequestChange::field, RequestChange::from, RequestChange::to)
                .containsExactly("gpu_count", "8", "7");
        assertThat(why.changes().getFirst().on().toString()).isEqualTo("n1[1-7]");
        assertThat(words(why)).contains("GPU model V100-32GB");
    }

    @Test
    void aGangIsToldHowManyTasksWouldFit() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").build());
        scene.submit(aJob().gpus(4));
        JobId gang = scene.submit(aJob().gpus(4).tasks(4));
        Explanation why = explain(scene, gang);
        assertThat(words(why)).contains("3 tasks instead of 4", "2 GPUs per task instead of 4");
        assertThat(why.reasons()).extracting(r -> r.refusal().by()).contains("gang");
    }

    @Test
    void labelsTaintsCoresAndMemoryAreTriedToo() {
        Scene scene = Scene.with(aNode("n1").label("zone", "a").build());
        JobId zone = scene.submit(aJob().onNodesWith("zone", "b"));
        assertThat(words(explain(scene, zone))).contains("nodes not selected by zone=b");

        Scene tainted = Scene.with(aNode("n1").taint("spot").build());
        JobId kept = tainted.submit(aJob());
        assertThat(words(explain(tainted, kept)))
                .anyMatch(change -> change.startsWith("tolerating the taint spot"));

        Scene narrow = Scene.with(aNode("n1").cores(8).build());
        JobId many = narrow.submit(aJob().cores(16));
        assertThat(words(explain(narrow, many))).contains("8 CPU cores instead of 16");

        Scene smallGpus = Scene.with(aNode("n1").model("V100-32GB").build());
        JobId greedy = smallGpus.submit(aJob().gpuMemoryMiB(40_000));
        assertThat(words(explain(smallGpus, greedy)))
                .contains("32768 MB on each GPU instead of 40000");
    }

    @Test
    void theLowestPriorityThatMakesRoomIsFound() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("soft", 100, true);
        JobId low = scene.submit(aJob().of("soft").gpus(4).priority(200));
        scene.submit(aJob().of("soft").gpus(4).priority(300));
        JobId job = scene.submit(aJob().gpus(4).priority(50));
        RequestChange requestChange =
                explain(scene, job).changes().stream()
                        .filter(c -> c.field().equals("priority"))
                        .findFirst()
                        .orElseThrow();
        assertThat(requestChange.to()).isEqualTo("201");
        assertThat(requestChange.victims()).containsExactly(low);
    }

    @Test
    void whatARunEarnedByWaitingCountsForLessAndLess() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        scene.tenant("soft", 100, true);
        JobId busy = scene.submit(aJob().gpus(1).priority(500));
        scene.runs(busy);
        JobId old = scene.submit(aJob().of("soft").gpus(1).priority(10));
        scene.pass(Duration.ofMinutes(30));
        scene.completes(busy);
        scene.runs(old);
        JobId job = scene.submit(aJob().gpus(1).priority(50));
        assertThat(enoughPriority(scene, job)).isEqualTo("311");
        scene.pass(Duration.ofMinutes(10));
        assertThat(enoughPriority(scene, job)).isEqualTo("211");
        scene.pass(Duration.ofMinutes(16));
        assertThat(scene.phase(job)).as("10 + 300 - 260 is not below 50").isEqualTo("Waiting");
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.engine().state().claims())
                .as("room is made without anybody asking")
                .anyMatch(claim -> claim.isFor(job) && claim.kind() == Claim.Kind.ROOM);
    }

    private static String enoughPriority(Scene scene, JobId job) {
        return explain(scene, job).changes().stream()
                .filter(requestChange -> requestChange.field().equals("priority"))
                .findFirst()
                .orElseThrow()
                .to();
    }

    @Test
    void whoWaitsForQuotaLearnsWhoUsesItAndHowMuchMoreWouldDo() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("small", 4, false);
        JobId first = scene.submit(aJob().of("small").gpus(3));
        scene.submit(aJob().gpus(1));
        JobId job = scene.submit(aJob().of("small").gpus(2));
        Explanation why = explain(scene, job);
        assertThat(why.holders()).extracting(HeldCapacity::job).containsExactly(first);
        assertThat(words(why)).contains("1 GPU instead of 2", "a quota of small 5 GPUs");
        assertThat(why.reasons().getFirst().refusal().liftedBy().getFirst().words())
                .contains("small");
    }

    @Test
    void aShorterJobMayGoBeforeAReservation() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId first = scene.submit(aJob().gpus(6).limit(Duration.ofHours(1)));
        scene.runs(first);
        scene.submit(aJob().gpus(8));
        JobId job = scene.submit(aJob().gpus(2).limit(Duration.ofHours(3)));
        assertThat(words(explain(scene, job))).contains("a time limit of 60 minutes");
    }

    @Test
    void whereNothingHelpsNothingIsTold() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        scene.submit(aJob());
        JobId job = scene.submit(aJob());
        Explanation why = explain(scene, job);
        assertThat(why.changes()).isEmpty();
        assertThat(why.isStuck()).isTrue();
    }

    @Test
    void underAStrictPolicyItSaysThatAnotherJobIsBefore() {
        Scene scene = new Scene("fifo-strict");
        scene.join(aNode("n1").build());
        scene.submit(aJob().gpus(4));
        scene.submit(aJob().gpus(8));
        JobId job = scene.submit(aJob().gpus(1));
        assertThat(explain(scene, job).summary()).contains("no job overtake");
    }

    @Test
    void everyReasonIsCountedOnceHoweverManyNodesAreAlike() {
        Scene scene =
                Scene.with(
                        aNode("n1").build(),
                        aNode("n2").build(),
                        aNode("n3").model("V100-32GB").build(),
                        aNode("n4").build());
        scene.tell(new Command.Cordon(new NodeId("n3"), "me"));
        scene.tell(new Command.Cordon(new NodeId("n4"), "me"));
        scene.submit(aJob().gpus(5));
        scene.submit(aJob().gpus(5));
        JobId job = scene.submit(aJob().gpus(5).model("A100"));
        assertThat(explain(scene, job).reasons())
                .extracting(r -> r.refusal().by() + " " + r.nodes())
                .as("opening n3, which has another model, would not help")
                .containsExactly("free-gpus 2", "gpu-model 1", "closed 1");
        assertThat(scene.explainer().why(job)).isEqualTo(explain(scene, job).reasons());
    }

    private static Preview preview(Scene scene, JobBuilder job) {
        long before = scene.engine().digest();
        long batches = scene.engine().lastBatch();
        var image = scene.engine().image();
        Preview seen =
                scene.explainer().preview(new Command.Submit(job.spec(), "", 0, false, "me"));
        assertThat(scene.engine().digest()).isEqualTo(before);
        assertThat(scene.engine().lastBatch()).isEqualTo(batches);
        assertThat(scene.engine().image()).isEqualTo(image);
        return seen;
    }

    @Test
    void aPreviewTellsWhereAJobWouldStartAndChangesNothing() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.submit(aJob().gpus(2));
        var accepted = (Preview.Accepted) preview(scene, aJob().gpus(4));
        assertThat(accepted.explanation().place()).hasToString("n1[2-5]");
        assertThat(scene.where(scene.submit(aJob().gpus(4)))).isEqualTo("n1[2-5]");
    }

    @Test
    void aPreviewTellsWhyAJobWouldWait() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.submit(aJob().gpus(6));
        var accepted = (Preview.Accepted) preview(scene, aJob().gpus(4));
        assertThat(accepted.explanation().place()).isNull();
        assertThat(words(accepted.explanation())).containsExactly("2 GPUs instead of 4");
    }

    @Test
    void aPreviewTellsWhoWouldBeStopped() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("soft", 100, true);
        JobId low = scene.submit(aJob().of("soft").gpus(8).priority(10));
        var accepted = (Preview.Accepted) preview(scene, aJob().gpus(4).priority(500));
        assertThat(accepted.explanation().victims()).containsExactly(low);
        assertThat(scene.phase(low)).isEqualTo("Starting");
    }

    @Test
    void aPreviewIsRefusedLikeTheSubmission() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("small", 2, false);
        var refused = (Preview.Refused) preview(scene, aJob().of("small").gpus(3));
        assertThat(refused.problems())
                .extracting(Problem::code)
                .containsExactly(Problem.Code.QUOTA);
    }

    @Test
    void aPreviewOfARepetitionNamesTheFirst() {
        Scene scene = Scene.with(aNode("n1").build());
        var submit = new Command.Submit(aJob().spec(), "key", 7, false, "me");
        scene.tell(submit);
        assertThat(scene.explainer().preview(submit)).isEqualTo(new Preview.Repeats(new JobId(1)));
    }
}
