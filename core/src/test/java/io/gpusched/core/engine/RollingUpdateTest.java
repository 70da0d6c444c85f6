package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A pool whose template changes replaces its replicas one after another. Templates differ in the
/// cores of a replica.
final class RollingUpdateTest {
    private static final PoolId CHAT = new PoolId("chat");

    private Scene scene = scene(8);
    private long sequence;
    private int fewestReady = Integer.MAX_VALUE;
    private int mostActive;

    private static Scene scene(int gpus) {
        var scene = new Scene("priority", PoolBuilder.settings());
        scene.join(aNode("n1: " + gpus + "×A100").build());
        return scene;
    }

    private static JobBuilder of(int cores) {
        return aJob().gpus(1).cores(cores);
    }

    private void put(PoolBuilder pool) {
        scene.tell(new Command.PutPool(pool.build(), "me"));
        scene.pass(Duration.ofSeconds(1));
        count();
    }

    private void count() {
        if (counts().ready() > 0) {
            fewestReady = Math.min(fewestReady, counts().ready());
        }
        mostActive = Math.max(mostActive, counts().active());
    }

    private ClusterState state() {
        return scene.engine().state();
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(state().pools().find(CHAT));
    }

    private PoolCounts counts() {
        return state().pools().counts(chat());
    }

    private RollingUpdate update() {
        return new RollingUpdate(state(), chat(), scene.now());
    }

    /// Cores of the replicas that stay, in the order of their jobs.
    private List<Long> cores() {
        return chat().replicas().stream()
                .filter(status -> status.draining() == null)
                .map(ReplicaStatus::job)
                .sorted()
                .map(job -> scene.job(job).spec().host().milliCpu() / 1000)
                .toList();
    }

    /// For so many seconds, replicas that were placed run, are ready if they have at most `good`
    /// cores and crash otherwise; a replica that drains has no request, and stops when told to.
    private void serve(int seconds, int sessions, int good) {
        for (int second = 0; second < seconds; second++) {
            var loads = new ArrayList<ReplicaLoad>();
            for (ReplicaStatus status : chat().replicas()) {
                live(status, good);
                ReplicaStatus now = chat().replica(status.number());
                if (now != null && now.job().equals(status.job()) && now.placed() != null) {
                    loads.add(seen(now.job(), now.draining() == null, 0));
                }
            }
            var load = PoolBuilder.load(++sequence, 0, sessions, loads);
            scene.tell(new Report.PoolLoad(CHAT, load));
            scene.pass(Duration.ofSeconds(1));
            count();
        }
    }

    private void live(ReplicaStatus status, int good) {
        JobId job = status.job();
        switch (scene.phase(job)) {
            case "Starting" -> {
                scene.runs(job);
                if (scene.job(job).spec().host().milliCpu() > good * 1000L) {
                    scene.ends(job, Exit.How.EXITED, 1);
                }
            }
            case "Stopping" -> scene.ends(job, Exit.How.STOPPED, 143);
            default -> {}
        }
    }

    private void serve(int seconds, int sessions) {
        serve(seconds, sessions, 16);
    }

    private void startsCounting() {
        fewestReady = Integer.MAX_VALUE;
        mostActive = 0;
    }

    /// Both commands may come before the scheduler has told any replica to stop.
    @Test
    void aPoolThatIsRemovedAndPutAgainAtOnceReplacesItsReplicas() {
        put(aPool().from(1, 3).of(of(1)));
        serve(20, 3);
        scene.tellTogether(
                new Command.RemovePool(CHAT, "me"),
                new Command.PutPool(aPool().from(1, 3).of(of(2)).build(), "me"));
        serve(120, 3);
        assertThat(cores()).containsExactly(2L, 2L, 2L);
        assertThat(update().words(true)).isEmpty();
    }

    @Test
    void replicasAreReplacedOneAfterAnotherByOneBeyondTheSize() {
        put(aPool().from(1, 3).of(of(1)));
        serve(20, 3);
        startsCounting();
        put(aPool().from(1, 3).of(of(2)));
        assertThat(update().words(true))
                .isEqualTo(
                        "0 of 3 replicas are updated; the update goes on"
                                + " when the new one is ready");
        serve(4, 3);
        assertThat(cores()).contains(1L, 2L);
        serve(90, 3);
        assertThat(cores()).containsExactly(2L, 2L, 2L);
        assertThat(counts()).isEqualTo(new PoolCounts(3, 0, 0, 0));
        assertThat(fewestReady).as("of a size of 3").isEqualTo(3);
        assertThat(mostActive).as("one beyond the size, also beyond max").isEqualTo(4);
        assertThat(update().words(true)).isEmpty();
        assertThat(chat().desired()).isEqualTo(3);
    }

    @Test
    void aPoolOfOneKeepsServing() {
        put(aPool().from(1, 1).of(of(1)));
        serve(10, 1);
        startsCounting();
        put(aPool().from(1, 1).of(of(2)));
        serve(60, 1);
        assertThat(cores()).containsExactly(2L);
        assertThat(fewestReady).isEqualTo(1);
        assertThat(mostActive).isEqualTo(2);
    }

    @Test
    void aPoolWithAPortUsesTheNextOneUnlessAnotherPoolHasIt() {
        put(aPool().from(1, 1).port(9000).of(of(1)));
        serve(10, 1);
        put(aPool().from(1, 1).port(9000).of(of(2)));
        serve(60, 1);
        assertThat(cores()).containsExactly(2L);
        assertThat(chat().replicas()).extracting(ReplicaStatus::number).containsExactly(1);

        put(aPool().from(1, 1).port(9000).of(of(3)));
        serve(60, 1);
        assertThat(chat().replicas()).extracting(ReplicaStatus::number).containsExactly(0);
        put(aPool().named("next").from(0, 4).port(9001).of(of(1)));
        assertThat(state().pools().all()).hasSize(2);
        put(aPool().from(1, 1).port(9000).of(of(4)));
        serve(60, 1);
        assertThat(cores()).as("no port is free for a second replica").containsExactly(3L);
    }

    @Test
    void withoutCapacityOneStopsFirstButNotTheOnlyOne() {
        scene = scene(3);
        put(aPool().from(3, 3).of(of(1)));
        serve(20, 3);
        startsCounting();
        put(aPool().from(3, 3).of(of(2)));
        serve(120, 3);
        assertThat(cores()).containsExactly(2L, 2L, 2L);
        assertThat(fewestReady).isEqualTo(2);
        assertThat(mostActive).isEqualTo(3);

        scene = scene(1);
        put(aPool().from(1, 1).of(of(1)));
        serve(10, 1);
        put(aPool().from(1, 1).of(of(2)));
        serve(300, 1);
        assertThat(cores()).containsExactly(1L);
        assertThat(update().words(false))
                .isEqualTo(
                        "0 of 1 replicas are updated; the update waits for capacity for a second"
                                + " replica");
    }

    @Test
    void aNewTemplateThatFailsKeepsTheOldReplicas() {
        put(aPool().from(2, 3).of(of(1)));
        serve(20, 2);
        startsCounting();
        put(aPool().from(2, 3).of(of(8)));
        serve(400, 2, 4);
        assertThat(cores()).filteredOn(cores -> cores == 1).hasSize(2);
        assertThat(fewestReady).isEqualTo(2);
        assertThat(chat().failures()).isBetween(3, 8);
        assertThat(update().isStopped()).isTrue();
        assertThat(update().words(true))
                .startsWith("0 of 2 replicas are updated; the update has stopped, because");
        // A template that works ends it.
        put(aPool().from(2, 3).of(of(2)));
        serve(90, 2, 4);
        assertThat(cores()).containsExactly(2L, 2L);
        assertThat(fewestReady).isEqualTo(2);
    }

    @Test
    void aPoolThatReturnsToItsTemplateKeepsTheReplicasThatHaveIt() {
        put(aPool().from(3, 4).of(of(1)));
        serve(20, 3);
        List<JobId> first = chat().replicas().stream().map(ReplicaStatus::job).toList();
        put(aPool().from(3, 4).of(of(2)));
        serve(4, 3);
        assertThat(cores()).contains(2L);
        startsCounting();
        put(aPool().from(3, 4).of(of(1)));
        serve(90, 3);
        assertThat(cores()).containsExactly(1L, 1L, 1L);
        assertThat(chat().replicas().stream().map(ReplicaStatus::job).toList())
                .as("at least two of the first replicas never stopped")
                .filteredOn(first::contains)
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(fewestReady).isEqualTo(3);
    }

    @Test
    void otherChangesReplaceNothing() {
        put(aPool().from(2, 4).of(of(1)));
        serve(20, 2);
        List<ReplicaStatus> before = chat().replicas();
        put(aPool().from(1, 6).slo(500).warm(10).of(of(1).priority(7).label("team", "a")));
        serve(60, 2);
        assertThat(chat().replicas()).containsAll(before);
        put(aPool().from(1, 6).of(of(2)).withoutUpdate());
        serve(60, 2);
        assertThat(chat().replicas()).containsAll(before);
        assertThat(update().words(true)).contains("serving.update is none");
        put(aPool().from(1, 6).of(of(2)));
        serve(90, 2);
        assertThat(cores()).containsExactly(2L, 2L);
    }

    @Test
    void replicasThatNeverServedAreReplacedAtOnce() {
        scene = scene(2);
        put(aPool().from(4, 4).of(of(1)));
        assertThat(counts()).isEqualTo(new PoolCounts(0, 2, 2, 0));
        put(aPool().from(4, 4).of(of(2)));
        serve(30, 4);
        assertThat(cores()).containsExactly(2L, 2L, 2L, 2L);
        assertThat(counts()).isEqualTo(new PoolCounts(2, 0, 2, 0));
    }

    @Test
    void withoutReportsAReplicaThatRunsCountsAsReady() {
        put(aPool().from(2, 3).of(of(1)));
        chat().replicas().forEach(status -> scene.runs(status.job()));
        put(aPool().from(2, 3).of(of(2)));
        for (int second = 0; second < 60; second++) {
            chat().replicas().forEach(status -> live(status, 16));
            scene.pass(Duration.ofSeconds(1));
            assertThat(counts().active()).isBetween(2, 3);
        }
        assertThat(cores()).containsExactly(2L, 2L);
    }

    @Test
    void aPoolShrinksDuringAnUpdate() {
        put(aPool().from(1, 6).of(of(1)));
        serve(20, 6);
        put(aPool().from(1, 6).of(of(2)));
        serve(7, 6);
        serve(120, 2);
        assertThat(cores()).containsExactly(2L, 2L);
        assertThat(counts()).isEqualTo(new PoolCounts(2, 0, 0, 0));
    }
}
