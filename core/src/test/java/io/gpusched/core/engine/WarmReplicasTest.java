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
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Replicas that are kept ready beyond what the load needs.
final class WarmReplicasTest {
    private static final PoolId CHAT = new PoolId("chat");

    private final Scene scene = new Scene("priority", PoolBuilder.settings());
    private long sequence;

    private void start(int gpus, JobBuilder replica) {
        scene.tenant("team", 100, true);
        scene.join(aNode("n1: " + gpus + "×A100").build());
        scene.tell(new Command.PutPool(aPool().of(replica).from(0, 8).warm(20).build(), "me"));
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(CHAT));
    }

    private PoolCounts counts() {
        return scene.engine().state().pools().counts(chat());
    }

    private Job job(ReplicaStatus status) {
        return scene.job(status.job());
    }

    private List<JobId> warm() {
        return chat().replicas().stream()
                .filter(status -> scene.engine().state().pools().isWarm(job(status)))
                .map(ReplicaStatus::job)
                .toList();
    }

    /// Every replica that was placed becomes ready, one after the other, while so many sessions are
    /// active.
    private void serveFor(int seconds, int sessions) {
        for (int second = 0; second < seconds; second++) {
            var loads = new ArrayList<ReplicaLoad>();
            for (ReplicaStatus status : chat().replicas()) {
                if (scene.phase(status.job()).equals("Starting")) {
                    scene.runs(status.job());
                }
                if (scene.phase(status.job()).equals("Running")) {
                    loads.add(seen(status.job(), status.draining() == null, 0));
                }
            }
            var load = PoolBuilder.load(++sequence, 0, sessions, loads);
            scene.tell(new Report.PoolLoad(CHAT, load));
            scene.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void theYoungestReplicasBeyondTheLoadAreWarm() {
        start(8, aJob().of("team").gpus(1));
        serveFor(20, 2);
        assertThat(counts()).isEqualTo(new PoolCounts(3, 0, 0, 0, 1));
        assertThat(warm()).hasSize(1);
    }

    @Test
    void moreLoadMakesAWarmReplicaServeAtOnceAndThePoolRefills() {
        start(8, aJob().of("team").gpus(1));
        serveFor(20, 2);
        List<JobId> before = warm();
        serveFor(6, 3);
        assertThat(warm()).doesNotContainAnyElementsOf(before);
        assertThat(chat().activations()).isEqualTo(1);
        serveFor(20, 3);
        assertThat(counts()).isEqualTo(new PoolCounts(4, 0, 0, 0, 1));
    }

    @Test
    void jobsArePreemptedForReplicasThatTheLoadNeedsButNotForWarmOnes() {
        start(4, aJob().of("team").gpus(1).priority(500));
        var running = new ArrayList<JobId>();
        for (int i = 0; i < 4; i++) {
            JobId batch = scene.submit(aJob().of("team").gpus(1).priority(0));
            scene.runs(batch);
            running.add(batch);
        }
        serveFor(10, 2);
        running.stream()
                .filter(each -> scene.phase(each).equals("Stopping"))
                .forEach(each -> scene.ends(each, Exit.How.STOPPED, 0));
        serveFor(60, 2);
        assertThat(running)
                .as("two made room for what the load needs")
                .filteredOn(each -> scene.phase(each).equals("Running"))
                .hasSize(2);
        assertThat(counts().ready()).isEqualTo(2);
        assertThat(counts().waiting()).as("the warm one waits").isEqualTo(1);
        serveFor(15, 3);
        assertThat(running)
                .as("now the load needs it")
                .filteredOn(each -> scene.phase(each).equals("Running"))
                .hasSize(1);
    }

    @Test
    void aChangeOfThePoolTriesOnlyReplicasAgain() {
        start(4, aJob().of("team").gpus(1).priority(5_000));
        serveFor(10, 1);
        for (int priority = 1; priority <= 100; priority++) {
            scene.submit(aJob().gpus(4).priority(priority));
        }
        scene.tell(new Command.ScalePool(CHAT, 2, "", "me"));
        assertThat(Objects.requireNonNull(scene.last()).work().turns()).isLessThan(10);
    }

    /// A law that keeps the size as it is, because it has no reason to change it, does not keep the
    /// warm replicas, which are added to what it says.
    @ParameterizedTest
    @ValueSource(strings = {"slo", "tokens", "static"})
    void warmReplicasDoNotGrowByThemselves(String law) {
        for (int node = 1; node <= 5; node++) {
            scene.join(aNode("n" + node + ": 8×A100").build());
        }
        PoolBuilder pool = aPool().law(law).slo(1_000).from(1, 40).warm(10);
        scene.tell(new Command.PutPool(pool.build(), "me"));
        for (int second = 0; second < 300; second++) {
            chat().replicas().stream()
                    .map(ReplicaStatus::job)
                    .filter(job -> scene.phase(job).equals("Starting"))
                    .forEach(scene::runs);
            scene.tell(new Report.PoolLoad(CHAT, oneRequest()));
            scene.pass(Duration.ofSeconds(1));
        }
        assertThat(chat().desired()).isEqualTo(5);
    }

    /// A report of one short request, spread over the replicas that run.
    private PoolLoad oneRequest() {
        var loads = new ArrayList<ReplicaLoad>();
        for (ReplicaStatus status : chat().replicas()) {
            if (scene.phase(status.job()).equals("Running")) {
                loads.add(new ReplicaLoad(status.job(), true, 1, 0, 0, 10, 100, 20_000, 100, 20));
            }
        }
        return new PoolLoad(
                "gateway",
                ++sequence,
                Duration.ofSeconds(1),
                1,
                0,
                100L * loads.size(),
                20L * loads.size(),
                0,
                0,
                1,
                0,
                0,
                0,
                1,
                1,
                100,
                loads);
    }

    @Test
    void aWarmReplicaIsPreemptedBeforeOneThatServes() {
        start(3, aJob().of("team").gpus(1));
        serveFor(20, 2);
        List<JobId> warm = warm();
        assertThat(warm).hasSize(1);
        scene.submit(aJob().of("team").gpus(1).priority(900));
        assertThat(scene.phase(warm.getFirst())).isEqualTo("Stopping");
    }
}
