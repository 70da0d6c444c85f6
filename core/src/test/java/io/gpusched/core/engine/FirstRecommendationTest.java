package io.gpusched.core.engine;

import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

final class FirstRecommendationTest {
    private static final ScaleBehavior SLOW =
            new ScaleBehavior(Duration.ofMinutes(1), ScaleBehavior.Select.LARGEST, List.of());

    private final Scene scene = new Scene("priority", PoolBuilder.settings());
    private long sequence;

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(new PoolId("chat")));
    }

    private void putFrom(int min) {
        var pool = aPool().from(min, 8).down(SLOW).build();
        assertThat(scene.tell(new Command.PutPool(pool, "me"))).isInstanceOf(Answer.Accepted.class);
    }

    /// Reports every second that two sessions are active, which need two replicas.
    private void serveTwo(int seconds) {
        for (int i = 0; i < seconds; i++) {
            var loads =
                    chat().replicas().stream()
                            .map(ReplicaStatus::job)
                            .map(job -> seen(job, true, 0))
                            .toList();
            var load = PoolBuilder.load(++sequence, 0, 2, loads);
            scene.tell(new Report.PoolLoad(chat().id(), load));
            scene.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void itIsStabilisedByTheSizeThatThePoolHas() {
        scene.join(aNode("n1: 8×A100").build());
        putFrom(6);
        putFrom(1);
        assertThat(chat().recommended()).isNull();
        serveTwo(50);
        assertThat(chat().desired()).isEqualTo(6);
        serveTwo(30);
        assertThat(chat().desired()).isEqualTo(2);
    }
}
