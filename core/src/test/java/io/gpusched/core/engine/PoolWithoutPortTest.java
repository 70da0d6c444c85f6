package io.gpusched.core.engine;

import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.state.PoolCounts;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Consumers of a queue have no port, and the source that reports the queue sees no replicas.
final class PoolWithoutPortTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final PoolScene pool = new PoolScene("n1: 8×A100");

    private static PoolBuilder consumers() {
        return aPool().queue(new QueueRule(10, 5_000, 0));
    }

    @Test
    void aPoolThatStoppedGrowsAgainWithEveryBurst() {
        pool.put(consumers().from(0, 8));
        pool.queued(100, MINUTE);
        assertThat(pool.counts()).isEqualTo(new PoolCounts(2, 0, 0, 0));
        pool.queued(5_000, MINUTE);
        assertThat(pool.counts()).isEqualTo(new PoolCounts(8, 0, 0, 0));
    }

    @Test
    void aReplicaIsReadyWhenItRunsAndNoSourceSeesReplicas() {
        pool.put(consumers().from(1, 8));
        assertThat(pool.counts()).isEqualTo(new PoolCounts(0, 1, 0, 0));
        pool.run();
        assertThat(pool.counts()).isEqualTo(new PoolCounts(1, 0, 0, 0));
    }

    @Test
    void aSourceThatSeesReplicasDecidesWhichAreReady() {
        pool.put(aPool().from(2, 8));
        pool.scene.runs(pool.replica(0));
        pool.report(0, List.of(seen(pool.replica(0), false, 0)));
        pool.scene.runs(pool.replica(1));
        assertThat(pool.counts()).isEqualTo(new PoolCounts(0, 2, 0, 0));
        pool.scene.pass(MINUTE);
        pool.report(0, List.of(seen(pool.replica(0), true, 0)));
        assertThat(pool.counts()).isEqualTo(new PoolCounts(1, 1, 0, 0));
        assertThat(pool.chat().loadTime()).isEqualTo(MINUTE);
    }

    @Test
    void withAPortOnlyASourceMakesAReplicaReady() {
        pool.put(consumers().port(9000).from(1, 8));
        pool.run();
        assertThat(pool.counts()).isEqualTo(new PoolCounts(0, 1, 0, 0));
        pool.put(consumers().from(1, 8).withoutUpdate());
        assertThat(pool.counts()).as("without the port").isEqualTo(new PoolCounts(1, 0, 0, 0));
    }
}
