package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.ReservationPlanner;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// How many of the missing replicas of a pool can be placed, and when the next one can.
final class PoolCapacityTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final PoolScene pool = new PoolScene("n1: 8×A100");

    /// A job that the replicas of the tests do not preempt.
    private JobId runs(int gpus, Duration limit) {
        JobId job = pool.scene.submit(aJob().priority(900).gpus(gpus).limit(limit));
        pool.scene.runs(job);
        return job;
    }

    private static JobBuilder replica() {
        return aJob().priority(500).gpus(4);
    }

    @Test
    void aPoolThatLacksNoReplicaSaysNothing() {
        pool.put(aPool().of(replica()).from(2, 4));
        assertThat(pool.explained().capacity()).isEmpty();
    }

    @Test
    void theNextReplicaComesWhenARunningJobEnds() {
        Instant start = pool.scene.now();
        JobId first = runs(4, HOUR);
        runs(4, HOUR.multipliedBy(2));
        pool.put(aPool().of(replica()).from(2, 4));
        assertThat(pool.explained().capacity())
                .isEqualTo(
                        "0 of 2 missing replicas can be placed now; the next one about %s, when %s"
                                + " ends",
                        start.plus(HOUR), first);
    }

    @Test
    void theTimeIsThatOfThePlannedEndOfAllJobsThatAreInTheWay() {
        Instant start = pool.scene.now();
        runs(2, HOUR);
        runs(3, HOUR.multipliedBy(4));
        JobId second = runs(3, HOUR.multipliedBy(3));
        pool.put(aPool().of(replica()).from(1, 4));
        assertThat(pool.explained().capacity())
                .contains("0 of 1 missing replica can be placed now")
                .endsWith(
                        "about %s, when %s ends"
                                .formatted(start.plus(HOUR.multipliedBy(3)), second));
    }

    @Test
    void otherReplicasNeverEnd() {
        pool.put(aPool().of(replica()).from(3, 4));
        pool.run();
        assertThat(pool.explained().capacity())
                .isEqualTo(
                        "0 of 1 missing replica can be placed now; when the next one can is not"
                                + " known");
    }

    @Test
    void jobsThatArePreemptedMakeAPlaceAtOnce() {
        pool.scene.tenant("batch", 8, true);
        JobId batch = pool.scene.submit(aJob().of("batch").priority(10).gpus(8).limit(HOUR));
        pool.scene.runs(batch);
        pool.put(aPool().of(replica()).from(1, 4));
        assertThat(pool.explained().capacity())
                .isEqualTo(
                        "0 of 1 missing replica can be placed now; other jobs are preempted for the"
                                + " next one");
    }

    @Test
    void aPoolThatIsHeldBackByCapacityCountsWhatItShouldHave() {
        runs(4, HOUR);
        pool.put(aPool().of(replica()).from(1, 8));
        for (int second = 0; second < 300 && pool.chat().lapses() == 0; second++) {
            pool.serve(3, Duration.ofSeconds(1));
        }
        assertThat(pool.explained().rule()).isEqualTo("capacity");
        assertThat(pool.explained().capacity()).startsWith("0 of 2 missing replicas");
    }

    /// The search leaves the ledger as it was, and looks at no more ends than it may.
    @Test
    void theSearchIsBoundedAndLeavesNoTrace() {
        Instant start = pool.scene.now();
        for (int hours = 1; hours <= 8; hours++) {
            runs(1, HOUR.multipliedBy(hours));
        }
        assertThat(starts(1, 3)).isEmpty();
        assertThat(starts(1, 4))
                .containsExactly(
                        new ReservationPlanner.Start(
                                start.plus(HOUR.multipliedBy(4)), new JobId(4)));
        assertThat(starts(3, 100))
                .extracting(ReservationPlanner.Start::at)
                .containsExactly(
                        start.plus(HOUR.multipliedBy(4)), start.plus(HOUR.multipliedBy(8)));
        NodeView node = pool.scene.engine().state().nodes().find(new NodeId("n1"));
        assertThat(Objects.requireNonNull(node).freeGpus()).isZero();
    }

    private List<ReservationPlanner.Start> starts(int count, int most) {
        ClusterState state = pool.scene.engine().state();
        Instant now = pool.scene.now();
        Job job = Job.submitted(state.nextJob(), replica().spec(), now);
        var view = CapacityView.of(state, job.id(), now.plus(JobSpec.WITHOUT_END), false);
        var placer = new Placer(state, pool.scene.engine().nodeSearch());
        return new ReservationPlanner(state, placer).starts(job, view, count, most, now);
    }
}
