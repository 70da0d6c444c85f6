package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class LateReplicasTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /// After five refused starts a replica is not tried for 320 s, longer than it may wait.
    @Test
    void theTimeOfABackoffDoesNotCount() {
        var pool =
                new PoolScene(
                        "n1: 2×A100",
                        "n2: 2×A100",
                        "n3: 2×A100",
                        "n4: 2×A100",
                        "n5: 2×A100",
                        "n6: 2×A100",
                        "n7: 2×A100",
                        "n8: 2×A100");
        pool.put(aPool().from(1, 8));
        pool.run();
        pool.serve(2, Duration.ofSeconds(5));
        JobId refused = pool.replica(1);
        int refusals = 0;
        for (int second = 0; second < 1_200; second++) {
            if (refusals < 6 && pool.scene.phase(refused).equals("Starting")) {
                pool.scene.ends(refused, Exit.How.REFUSED, -1);
                refusals++;
            }
            if (refusals == 6) {
                pool.run();
            }
            pool.serve(2, SECOND);
        }
        assertThat(refusals).isEqualTo(6);
        assertThat(pool.events(Event.PoolLapsed.class)).isEmpty();
        assertThat(pool.scene.phase(refused)).isEqualTo("Running");
    }

    /// The older of two waiting replicas may preempt nothing, the younger one may.
    @Test
    void aReplicaForWhichOthersArePreemptedIsKept() {
        var pool = new PoolScene("n1: 4×A100");
        pool.scene.tenant("batch", 16, true);
        JobId batch = pool.scene.submit(aJob().of("batch").gpus(4).priority(950).grace(LONG));
        pool.scene.runs(batch);
        pool.put(aPool().of(aJob().gpus(4).priority(900)).from(0, 4));
        pool.scene.tell(new Command.ScalePool(PoolScene.CHAT, 2, "", "me"));
        JobId younger = pool.replica(1);
        pool.scene.tell(new Command.Reprioritise(pool.replica(0), 1, "me"));
        pool.scene.tell(new Command.Reprioritise(batch, 2, "me"));
        assertThat(pool.scene.phase(batch)).isEqualTo("Stopping");
        pool.scene.tell(new Command.ScalePool(PoolScene.CHAT, null, "", "me"));
        pool.serve(2, Duration.ofSeconds(140));
        assertThat(pool.events(Event.PoolLapsed.class)).hasSize(1);
        assertThat(pool.jobs()).containsExactly(younger);
    }
}
