package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class PoolPortsTest {
    private final PoolScene pool = new PoolScene("n1: 8×A100");

    private Problem problem(PoolBuilder other) {
        return pool.problems(other).getFirst();
    }

    @Test
    void aReplacementWaitsForAPortOfItsPool() {
        pool.put(aPool().port(8000).from(2, 2));
        pool.put(aPool().named("other").port(8002).from(1, 1));
        pool.run();
        pool.scene.tell(new Command.Cancel(pool.replica(0), "me"));
        pool.scene.pass(Duration.ofMinutes(1));
        assertThat(pool.numbers()).containsExactly(0, 1);
        assertThat(pool.scene.phase(pool.replica(0))).isEqualTo("Stopping");
        assertThat(pool.explained().whyNotMore())
                .isEqualTo("replicas that have not ended yet use all 2 ports of the pool");
        pool.scene.ends(pool.replica(0), Exit.How.STOPPED, 143);
        pool.scene.pass(Duration.ofSeconds(5));
        assertThat(pool.numbers()).containsExactly(0, 1);
        assertThat(pool.scene.phase(pool.replica(0))).isEqualTo("Starting");
    }

    @Test
    void aSmallerPoolStopsTheReplicasBeyondItsPorts() {
        pool.put(aPool().port(8000).from(4, 4));
        pool.run();
        pool.report(
                0,
                pool.chat().replicas().stream()
                        .map(each -> seen(each.job(), true, each.number()))
                        .toList());
        pool.put(aPool().port(8000).from(2, 2));
        assertThat(pool.chat().replicas())
                .filteredOn(each -> each.draining() == null)
                .extracting("number")
                .containsExactly(0, 1);
    }

    @Test
    void portsOfReplicasThatHaveNotEndedAreTaken() {
        pool.put(aPool().port(8000).from(4, 4));
        pool.run();
        pool.put(aPool().port(8000).from(1, 1));
        Problem problem = problem(aPool().named("other").port(8002).from(1, 2));
        assertThat(problem.field()).isEqualTo("serving.port");
        assertThat(problem.message()).contains("8002 to 8003, pool chat uses 8002 to 8002");
        assertThat(problem.hint()).isEqualTo("the next free port is 8004");
        pool.put(aPool().port(9000).from(1, 1));
        assertThat(problem(aPool().named("other").port(8000).from(1, 1)).message())
                .as("the old port of a pool that moved")
                .contains("pool chat uses 8000 to 8000");
    }

    @Test
    void portsOfARemovedPoolAreFreeWhenItsReplicasHaveEnded() {
        pool.put(aPool().port(8000).from(1, 4));
        pool.run();
        var job = pool.replica(0);
        pool.scene.tell(new Command.RemovePool(PoolScene.CHAT, "me"));
        assertThat(pool.problems(aPool().named("other").port(8000).from(1, 1))).hasSize(1);
        pool.scene.ends(job, Exit.How.STOPPED, 143);
        pool.put(aPool().named("other").port(8000).from(1, 1));
    }

    private List<Integer> ports() {
        return pool.jobs().stream()
                .map(job -> ReplicaSpecs.port(pool.scene.job(job).spec()))
                .toList();
    }

    @Test
    void anUpdateUsesNoPortThatAReplicaOfAnotherPoolStillHas() {
        var other = new PoolId("other");
        pool.put(aPool().port(8000).from(2, 2));
        pool.put(aPool().named("other").port(8002).withoutUpdate().from(1, 1));
        pool.run();
        pool.scene.runs(pool.entry(other).replicas().getFirst().job());
        pool.put(aPool().named("other").port(9000).withoutUpdate().from(1, 1));
        pool.put(aPool().port(8000).of(aJob().gpus(1).cores(2)).from(2, 2));
        pool.scene.pass(Duration.ofSeconds(5));
        assertThat(ports()).containsExactly(8000, 8001);
        assertThat(pool.counts().draining()).as("makes room for the first new one").isOne();
    }

    @Test
    void aNewReplicaGetsNoPortThatAnEarlierOneStillHas() {
        pool.put(aPool().port(8001).drain(Duration.ofSeconds(1)).from(3, 3));
        pool.run();
        pool.put(aPool().port(8000).drain(Duration.ofSeconds(1)).from(3, 3));
        for (int second = 0; second < 120; second++) {
            pool.run();
            for (JobId job : pool.jobs()) {
                if (pool.scene.phase(job).equals("Stopping")) {
                    pool.scene.ends(job, Exit.How.STOPPED, 143);
                }
            }
            assertThat(ports()).as("after %d s", second).doesNotHaveDuplicates();
            pool.scene.pass(Duration.ofSeconds(1));
        }
        assertThat(ports()).hasSize(3).isSubsetOf(8000, 8001, 8002, 8003);
        assertThat(pool.chat().replicas()).allMatch(pool.chat()::isUpdated);
    }

    @Test
    void aPoolOfAnotherTenantIsNotNamed() {
        pool.scene.tenant("team", 8, true);
        pool.put(aPool().port(8000).from(1, 4));
        Problem problem =
                problem(aPool().named("other").of(aJob().of("team")).port(8003).from(1, 1));
        assertThat(problem.message())
                .isEqualTo(
                        "replicas would use the ports 8003 to 8003, a pool of another tenant uses"
                                + " 8000 to 8003");
    }

    @Test
    void aTenantMayNotReserveAllPorts() {
        pool.scene.tenant("team", 8, true);
        pool.put(aPool().port(10_000).from(0, 10_000));
        PoolBuilder second = aPool().named("second").port(20_000).from(0, 6_385);
        assertThat(problem(second).message())
                .isEqualTo(
                        "the pools of tenant default would reserve 16385 ports, one for each of"
                                + " max_replicas; a tenant may have 16384");
        pool.put(second.from(0, 6_384));
        pool.put(aPool().named("third").from(0, 10_000));
        pool.put(aPool().named("theirs").of(aJob().of("team")).port(30_000).from(0, 10_000));
    }
}
