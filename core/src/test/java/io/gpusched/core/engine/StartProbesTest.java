package io.gpusched.core.engine;

import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

/// Where no source tells of replicas, their runs show whether replicas can start.
final class StartProbesTest {
    private final PoolScene pool = new PoolScene("n1: 8×A100");

    private void passing(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            pool.run();
            pool.scene.pass(Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9000})
    void aPoolWithoutReportsReplacesAReplicaThatCrashed(int port) {
        pool.put(aPool().law("static").port(port).from(3, 8));
        passing(Duration.ofSeconds(5));
        pool.scene.ends(pool.replica(1), Exit.How.EXITED, 1);
        passing(Duration.ofSeconds(20));
        assertThat(pool.jobs()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9000})
    void oneReplicaAtATimeShowsThatReplicasCanStart(int port) {
        pool.put(aPool().law("static").port(port).from(4, 8));
        passing(Duration.ofSeconds(5));
        for (JobId job : pool.jobs().subList(0, 3)) {
            pool.scene.ends(job, Exit.How.EXITED, 1);
        }
        passing(Duration.ofSeconds(50));
        assertThat(pool.jobs()).as("the survivor and one probe").hasSize(2);
        passing(Duration.ofMinutes(1));
        assertThat(pool.jobs()).as("the probe ran for a minute").hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9000})
    void aReplicaThatRanForAMinuteEndsTheCountOfFailures(int port) {
        pool.put(aPool().law("static").port(port).from(1, 8));
        for (int crash = 0; crash < 5; crash++) {
            passing(Duration.ofMinutes(3));
            pool.scene.ends(pool.replica(0), Exit.How.EXITED, 1);
            assertThat(pool.chat().failures()).isEqualTo(1);
        }
    }
}
