package io.gpusched.demo.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;

final class SimulatedPoolTest {
    /// About 11 requests a second.
    private static final double NOON = 150;

    private final SimulatedPool pool = SimulatedPool.of(new TrafficDay(1));

    @Test
    void theTrafficBeginsWhenTheFirstReplicaHasLoadedItsModel() {
        pool.follow(replicas(1));
        pool.runTo(3);
        LoadDocument loading = pool.report();
        assertThat(loading.replicas()).noneMatch(LoadDocument.Replica::ready);
        assertThat(loading.arrivals()).isZero();
        pool.runTo(30);
        LoadDocument ready = pool.report();
        assertThat(ready.replicas()).allMatch(LoadDocument.Replica::ready);
        assertThat(ready.arrivals()).isPositive();
        assertThat(ready.answered()).isPositive();
        assertThat(ready.sequence()).isEqualTo(loading.sequence() + 1);
    }

    @Test
    void requestsWaitWhileNoReplicaIsReady() {
        pool.follow(replicas(1));
        pool.runTo(30);
        pool.report();
        pool.follow(Map.of());
        pool.runTo(60);
        LoadDocument none = pool.report();
        assertThat(none.held()).isEqualTo(none.arrivals()).isPositive();
    }

    @Test
    void enoughReplicasKeepTheObjectivesAtNoonAndOneDoesNot() {
        assertThat(attained(6)).isGreaterThan(0.99);
        assertThat(attained(1)).isLessThan(0.5);
    }

    private static double attained(int replicas) {
        SimulatedPool one = SimulatedPool.of(new TrafficDay(1));
        one.follow(replicas(replicas));
        one.runTo(NOON - 30);
        one.report();
        one.runTo(NOON);
        LoadDocument report = one.report();
        return report.within() / (double) report.answered();
    }

    @Test
    void aReplicaThatDrainsFinishesItsRequestsAndGetsNoMore() {
        pool.follow(replicas(2));
        pool.runTo(NOON);
        pool.report();
        var both = replicas(2);
        both.put("job-0", true);
        pool.follow(both);
        pool.runTo(NOON + 30);
        LoadDocument.Replica drained = pool.report().replicas().getFirst();
        assertThat(drained.ready()).isFalse();
        pool.runTo(NOON + 120);
        drained = pool.report().replicas().getFirst();
        assertThat(drained.running() + drained.waiting()).isZero();
    }

    @Test
    void aPoolWithoutTrafficBecomesReady() {
        SimulatedPool idle = SimulatedPool.idle(40);
        idle.follow(replicas(1));
        idle.runTo(50);
        LoadDocument report = idle.report();
        assertThat(report.replicas()).allMatch(LoadDocument.Replica::ready);
        assertThat(report.arrivals()).isZero();
        assertThat(report.overMillis()).isEqualTo(10_000);
    }

    private static Map<String, Boolean> replicas(int many) {
        var started = new LinkedHashMap<String, Boolean>();
        for (int i = 0; i < many; i++) {
            started.put("job-" + i, false);
        }
        return started;
    }
}
