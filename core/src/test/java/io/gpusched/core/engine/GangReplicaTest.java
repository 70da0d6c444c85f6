package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A replica of two tasks, as a model needs that is spread over two nodes.
final class GangReplicaTest {
    private static final PoolId CHAT = new PoolId("chat");

    private final Scene scene = new Scene("priority", PoolBuilder.settings());
    private long sequence;

    private void put() {
        for (int node = 1; node <= 3; node++) {
            scene.join(aNode("n" + node + ": 8×A100").build());
        }
        var replica = aJob().gpus(8).tasks(2);
        scene.tell(new Command.PutPool(aPool().of(replica).from(0, 4).port(9000).build(), "me"));
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(CHAT));
    }

    private PoolCounts counts() {
        return scene.engine().state().pools().counts(chat());
    }

    private List<JobId> jobs() {
        return chat().replicas().stream().map(ReplicaStatus::job).toList();
    }

    private void serve(int sessions) {
        var loads = new ArrayList<ReplicaLoad>();
        for (ReplicaStatus status : chat().replicas()) {
            if (scene.phase(status.job()).equals("Starting")) {
                scene.runs(status.job());
            }
            if (scene.phase(status.job()).equals("Running")) {
                loads.add(seen(status.job(), status.draining() == null, 0));
            }
        }
        scene.tell(new Report.PoolLoad(CHAT, PoolBuilder.load(++sequence, 0, sessions, loads)));
        scene.pass(Duration.ofSeconds(5));
    }

    @Test
    void aReplicaIsPlacedWholeOrWaits() {
        put();
        serve(2);
        serve(2);
        assertThat(jobs()).hasSize(2);
        assertThat(scene.where(jobs().getFirst())).contains("n").contains("[0-7] n");
        assertThat(scene.phase(jobs().getLast()))
                .as("one node is free, which is half of a replica")
                .isEqualTo("Waiting");
        assertThat(counts())
                .extracting(PoolCounts::ready, PoolCounts::waiting)
                .containsExactly(1, 1);
        scene.join(aNode("n4: 8×A100").build());
        serve(2);
        serve(2);
        assertThat(counts().ready()).isEqualTo(2);
    }

    @Test
    void aSmallerPoolStopsAllTasksOfAReplica() {
        put();
        scene.join(aNode("n4: 8×A100").build());
        serve(2);
        serve(2);
        serve(2);
        assertThat(counts().ready()).isEqualTo(2);
        serve(1);
        JobId leaving = jobs().getLast();
        serve(1);
        serve(1);
        assertThat(scene.phase(leaving)).isEqualTo("Stopping");
        scene.ends(leaving, Exit.How.STOPPED, 143);
        assertThat(jobs()).hasSize(1);
        assertThat(scene.where(scene.submit(aJob().gpus(8).tasks(2)))).contains(" n");
    }
}
