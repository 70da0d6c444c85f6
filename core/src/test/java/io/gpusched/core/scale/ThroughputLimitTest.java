package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.LoadBuilder;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.Slo;

import org.junit.jupiter.api.Test;

import java.util.function.IntFunction;

final class ThroughputLimitTest {
    private final Signals signals = Signals.of("slo").between(1, 20).slo(new Slo(500, 0, 0, 990));
    private int size = 1;
    private long second;

    /// The pool has the recommended size at once.
    private Recommendation run(IntFunction<PoolLoad> load, int seconds) {
        Recommendation last = new Recommendation(size, "", "");
        for (int i = 0; i < seconds; i++) {
            second++;
            signals.load(second, load.apply(size));
            if (second % 5 == 0) {
                last = signals.ready(size).recommend();
                size = last.replicas();
            }
        }
        return last;
    }

    @Test
    void aPoolGrowsWhereRequestsWaitForSlotsAlthoughIterationsAreShort() {
        var pool = new SlottedPool(8);
        Recommendation found = run(n -> pool.second(20, n), 300);
        assertThat(size).isBetween(3, 5);
        assertThat(pool.waiting()).isZero();
        assertThat(found.reason()).contains("a replica takes at most 6.8 requests/s");
    }

    @Test
    void itKeepsTheSizeThatServesTheLoad() {
        var pool = new SlottedPool(8);
        run(n -> pool.second(20, n), 300);
        int right = size;
        for (int i = 0; i < 60; i++) {
            run(n -> pool.second(20, n), 30);
            assertThat(size).as("second %d", second).isBetween(3, right);
            assertThat(pool.waiting()).as("second %d", second).isZero();
        }
    }

    @Test
    void itShrinksWithTheLoad() {
        var pool = new SlottedPool(8);
        run(n -> pool.second(20, n), 900);
        run(n -> pool.second(2, n), 3_700);
        assertThat(size).isOne();
    }

    /// The model expects these misses, because it knows of no replica then.
    @Test
    void requestsThatWaitedForTheFirstReplicaAreNoReasonToGrow() {
        for (int i = 0; i < 60; i++) {
            second++;
            signals.load(
                    second,
                    LoadBuilder.aLoad(second).arrivals(4, 400).held(4 * (i + 1), 400).build());
        }
        for (int i = 0; i < 120; i++) {
            second++;
            LoadBuilder load = LoadBuilder.aLoad(second).arrivals(4, 400).output(80);
            load.answered(i < 20 ? 16 : 4, i < 20 ? 0 : 4).replica(1, i < 20 ? 100 : 1, 0, 0);
            signals.load(second, load.build());
        }
        Recommendation found = signals.ready(1).recommend();
        assertThat(found.reason()).doesNotContain("at most");
    }

    /// One request at a time is slow by itself: nothing waits for a slot.
    @Test
    void aSlowReplicaThatIsNotCrowdedHasNoLimit() {
        Recommendation found =
                run(
                        n ->
                                LoadBuilder.aLoad(second)
                                        .arrivals(1, 80)
                                        .output(10)
                                        .answered(1, 0)
                                        .firstToken(800)
                                        .replica(1, 1, 0, 0)
                                        .build(),
                        300);
        assertThat(found.reason()).doesNotContain("at most");
    }

    @Test
    void aModelThatIsRightHasNoLimit() {
        var pool = new SteadyPool(1);
        size = 8;
        Recommendation found = run(n -> pool.second(10, n), 1_200);
        assertThat(found.reason()).doesNotContain("at most");
    }
}
