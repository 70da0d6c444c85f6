package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Nobody is stopped for room that others are leaving already.
final class PreemptionTrialTest {
    private final Scene scene =
            Scene.with(
                    aNode("n1").agent("agent-n1").build(),
                    aNode("n2").agent("agent-n2").build(),
                    aNode("n3").agent("agent-n3").build());
    private final JobId one;
    private final JobId two;
    private final JobId three;

    PreemptionTrialTest() {
        scene.tenant("weak", 64, true);
        one = runs(30);
        two = runs(30);
        three = runs(30);
    }

    private JobId runs(int grace) {
        JobId id =
                scene.submit(
                        aJob().of("weak").gpus(8).priority(1).grace(Duration.ofSeconds(grace)));
        scene.runs(id);
        return id;
    }

    private void cancel(JobId job) {
        scene.tell(new Command.Cancel(job, "tester"));
    }

    private String nodeOf(JobId job) {
        return scene.run(job).on().slots().getFirst().node().name();
    }

    @Test
    void whatIsBeingCancelledIsRoomEnough() {
        String on = nodeOf(two);
        cancel(two);
        JobId high = scene.submit(aJob().gpus(8).priority(900));

        assertThat(scene.phase(one)).isEqualTo("Running");
        assertThat(scene.phase(three)).isEqualTo("Running");
        assertThat(scene.explainer().explain(high).summary())
                .isEqualTo("it gets the room on " + on + " that others are leaving");
        JobId between = scene.submit(aJob().gpus(8).priority(500));
        scene.ends(two, Exit.How.STOPPED, 0);
        assertThat(scene.where(high)).as("kept for it").contains(on);
        assertThat(scene.phase(between)).isEqualTo("Waiting");
    }

    @Test
    void roomIsGivenToOneAndTheNextHasToMakeItsOwn() {
        cancel(two);
        scene.submit(aJob().gpus(8).priority(900));
        scene.submit(aJob().gpus(8).priority(900));

        assertThat(scene.phase(one).equals("Stopping") ^ scene.phase(three).equals("Stopping"))
                .isTrue();
    }

    @Test
    void whatIsLeftCountsAlsoWhereItIsNotEnough() {
        cancel(two);
        scene.submit(aJob().gpus(8).tasks(2).priority(900));

        assertThat(scene.phase(one).equals("Stopping") ^ scene.phase(three).equals("Stopping"))
                .isTrue();
    }

    /// A claimant that changed its mind leaves room to the next.
    @Test
    void whoWasStoppedForSomebodyElseLeavesRoomForAll() {
        JobId first = scene.submit(aJob().gpus(8).tasks(2).priority(900));
        cancel(first);
        JobId second = scene.submit(aJob().gpus(8).tasks(2).priority(900));

        assertThat(scene.engine().state().runs().preemptible())
                .filteredOn(job -> scene.phase(job.id()).equals("Running"))
                .hasSize(1);
        for (JobId id : new JobId[] {one, two, three}) {
            if (scene.phase(id).equals("Stopping")) {
                scene.ends(id, Exit.How.STOPPED, 0);
            }
        }
        assertThat(scene.phase(second)).isEqualTo("Starting");
    }

    @Test
    void whoTakesLongerToLeaveThanAnotherWouldIsNotWaitedFor() {
        scene.completes(two);
        JobId slow = runs(600);
        cancel(slow);
        scene.submit(aJob().gpus(8).priority(900));

        assertThat(scene.phase(one).equals("Stopping") ^ scene.phase(three).equals("Stopping"))
                .isTrue();
    }

    /// One would be enough instead of two, but takes longer to leave than both.
    @Test
    void aVictimThatTakesLongerIsNotTakenInsteadOfTwoThatGoAtOnce() {
        Scene two = Scene.with(aNode("n1").label("at", "n1").build());
        two.join(aNode("n2").label("at", "n2").build());
        two.tenant("weak", 64, true);
        JobId going = half(two, "n2", 10);
        JobId last = half(two, "n1", 10);
        JobId slow = half(two, "n2", 600);
        JobId first = half(two, "n1", 10);
        two.tell(new Command.Cancel(going, "tester"));
        two.submit(aJob().gpus(8).priority(900));

        assertThat(two.phase(slow)).isEqualTo("Running");
        assertThat(two.phase(first)).isEqualTo("Stopping");
        assertThat(two.phase(last)).isEqualTo("Stopping");
    }

    private static JobId half(Scene scene, String node, int grace) {
        JobId id =
                scene.submit(
                        aJob().of("weak")
                                .gpus(4)
                                .priority(1)
                                .onNodesWith("at", node)
                                .grace(Duration.ofSeconds(grace)));
        scene.runs(id);
        return id;
    }

    @Test
    void whoDoesNotHearThatItShouldLeaveIsNotWaitedFor() {
        cancel(two);
        scene.tell(new Report.Silent(new AgentId("agent-" + nodeOf(two))));
        scene.submit(aJob().gpus(8).priority(900));

        assertThat(scene.phase(one).equals("Stopping") ^ scene.phase(three).equals("Stopping"))
                .isTrue();
    }
}
