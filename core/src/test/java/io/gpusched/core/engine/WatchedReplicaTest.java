package io.gpusched.core.engine;

import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// A gateway may send requests to a replica between the health check that passed and its next
/// report. So a replica that a gateway watches is drained, also if no report called it ready yet.
final class WatchedReplicaTest {
    private static final PoolId CHAT = new PoolId("chat");

    private final Scene scene = new Scene("priority", PoolBuilder.settings());
    private long sequence;

    @Test
    void aReplicaThatAGatewayWatchesIsDrainedAlsoWhileItLoads() {
        scene.join(aNode("n1: 8×A100").build());
        scene.tell(new Command.PutPool(aPool().from(0, 4).build(), "me"));
        report(1, 2);
        scene.pass(Duration.ofSeconds(5));
        assertThat(jobs()).hasSize(2);
        jobs().forEach(scene::runs);
        JobId leaving = jobs().get(1);
        ReplicaLoad staying = seen(jobs().get(0), true, 1);
        report(1, 2, staying, seen(leaving, false, 0));

        report(0, 1, staying, seen(leaving, false, 0));
        scene.pass(Duration.ofSeconds(5));
        assertThat(chat().replica(1)).extracting("draining").isNotNull();
        assertThat(scene.phase(leaving)).isEqualTo("Running");
        scene.pass(Duration.ofSeconds(1));
        report(0, 1, staying, seen(leaving, false, 1));
        assertThat(scene.phase(leaving)).isEqualTo("Running");
        report(0, 1, staying, seen(leaving, false, 0));
        assertThat(scene.phase(leaving)).isEqualTo("Stopping");
    }

    private void report(int held, int sessions, ReplicaLoad... replicas) {
        var load = PoolBuilder.load(++sequence, held, sessions, List.of(replicas));
        scene.tell(new Report.PoolLoad(CHAT, load));
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(CHAT));
    }

    private List<JobId> jobs() {
        return chat().replicas().stream().map(ReplicaStatus::job).toList();
    }
}
