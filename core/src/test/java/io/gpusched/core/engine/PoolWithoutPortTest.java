package io.gpusched.core.engine;

import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

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

    @Test
    void theOldestJournalsAreReplayedByTheRulesOfTheirTime() {
        pool.put(consumers().from(1, 8));
        pool.run();
        Engine engine = pool.scene.engine();
        var old = new Engine(engine.policy(), engine.settings());
        pool.scene
                .journal()
                .replay(
                        0,
                        batch -> {
                            batch.facts().forEach(event -> old.apply(asOld(event)));
                            batch.decided().forEach(event -> old.apply(asOld(event)));
                        });
        PoolEntry chat = Objects.requireNonNull(old.state().pools().find(PoolScene.CHAT));
        assertThat(old.state().pools().counts(chat)).isEqualTo(new PoolCounts(0, 1, 0, 0));
    }

    private static Event asOld(Event event) {
        return event instanceof Event.EngineStarted e
                ? new Event.EngineStarted(e.at(), e.term(), e.build(), e.fingerprint(), 0)
                : event;
    }
}
