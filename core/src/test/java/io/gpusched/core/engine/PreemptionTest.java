package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.core.policy.VictimList;
import io.gpusched.core.state.Deadlines;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;

/// What becomes of a job while others are being stopped for it.
final class PreemptionTest {
    private final Scene scene = Scene.with(aNode("n1").build(), aNode("n2").build());
    private final JobId low;
    private final JobId other;
    private final JobId high;

    PreemptionTest() {
        scene.tenant("weak", 16, true);
        low = scene.submit(aJob().of("weak").gpus(8).priority(1));
        other = scene.submit(aJob().gpus(8).priority(500));
        scene.runs(low);
        scene.runs(other);
        high = scene.submit(aJob().gpus(8).priority(900));
    }

    @Test
    void itStartsElsewhereAtOnceWhenItFitsThere() {
        assertThat(scene.phase(low)).isEqualTo("Stopping");
        assertThat(scene.phase(high)).isEqualTo("Waiting");
        scene.completes(other);
        assertThat(scene.where(high)).contains("n2");
        assertThat(scene.engine().state().claims()).isEmpty();
        scene.ends(low, Exit.How.STOPPED, 0);
        assertThat(scene.where(low)).as("the victim gets its places back").contains("n1");
    }

    @Test
    void itDoesNotGoElsewhereBeforeThoseAheadOfIt() {
        JobId first = scene.submit(aJob().gpus(8).priority(2000).of("default"));
        scene.completes(other);
        assertThat(scene.where(first)).contains("n2");
        assertThat(scene.phase(high)).isEqualTo("Waiting");
        scene.ends(low, Exit.How.STOPPED, 0);
        assertThat(scene.where(high)).contains("n1");
    }

    @Test
    void aVictimIsFoundBehindAnyNumberOfLessImportantOnesThatWouldNotHelp() {
        Scene crowd = Scene.with(aNode("cores").gpus(0).cores(700).build(), aNode("n1").build());
        crowd.tenant("weak", 16, true);
        for (int i = 0; i < 600; i++) {
            crowd.submit(aJob().of("weak").gpus(0).priority(1));
        }
        JobId useful = crowd.submit(aJob().of("weak").gpus(8).priority(2));
        crowd.submit(aJob().gpus(8).priority(900));
        assertThat(crowd.phase(useful)).isEqualTo("Stopping");
    }

    @Test
    void asFewAsPossibleLeaveHoweverManyCould() {
        Scene crowd = Scene.with(aNode("n1").cores(1000).gpus(8).build());
        crowd.tenant("weak", 16, true);
        for (int i = 0; i < 600; i++) {
            crowd.submit(aJob().of("weak").gpus(0).priority(1 + i % 7));
        }
        JobId useful = crowd.submit(aJob().of("weak").gpus(8).priority(8));
        crowd.submit(aJob().gpus(8).priority(900));
        assertThat(crowd.phase(useful)).isEqualTo("Stopping");
        assertThat(crowd.engine().state().runs().preemptible())
                .filteredOn(job -> job.phase() instanceof Phase.Stopping)
                .hasSize(1);
    }

    @Test
    void theRoomLapsesWhenTheVictimDoesNotGoInTime() {
        Duration grace = scene.job(low).spec().onLoss().grace();
        scene.pass(grace.plus(Deadlines.STOP_MARGIN).minusSeconds(1));
        assertThat(scene.engine().state().claims()).hasSize(1);
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.engine().state().claims())
                .as("whatever the job has now, it is not room on n1")
                .noneMatch(claim -> claim.slots().getFirst().node().name().equals("n1"));
        scene.completes(other);
        assertThat(scene.where(high)).contains("n2");
    }

    /// What the journal says of the job's start.
    private String because(JobId job) {
        var said = new ArrayList<String>();
        scene.journal()
                .replay(
                        0,
                        batch -> {
                            for (Event event : batch.decided()) {
                                if (event instanceof Event.AttemptPlaced placed
                                        && placed.attempt().job().equals(job)) {
                                    said.add(placed.because());
                                }
                            }
                        });
        return said.getLast();
    }

    @Test
    void whatDecidedAndWhoWasStoppedIsRecordedWithItsStart() {
        assertThat(scene.explainer().explain(high).summary())
                .isEqualTo("room is being made on n1 by stopping 1 other job");
        scene.ends(low, Exit.How.STOPPED, 0);
        assertThat(scene.where(high)).contains("n1");
        assertThat(VictimList.read(because(high)).named()).containsExactly(low);
        assertThat(ScoreTerm.read(because(high)))
                .extracting(ScoreTerm::scorer)
                .isEqualTo(ScoreTerm.read(because(low)).stream().map(ScoreTerm::scorer).toList())
                .isNotEmpty();
        assertThat(VictimList.read(because(low)).count()).isZero();
    }
}
