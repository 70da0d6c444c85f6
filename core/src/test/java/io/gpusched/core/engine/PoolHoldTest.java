package io.gpusched.core.engine;

import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.util.List;

final class PoolHoldTest {
    private final PoolScene pool = new PoolScene("n1: 8×A100");

    private void hold(int replicas) {
        pool.scene.tell(new Command.ScalePool(PoolScene.CHAT, replicas, "a launch", "me"));
    }

    @Test
    void aHeldPoolHasAtMostMaxReplicas() {
        pool.put(aPool().from(1, 8));
        hold(8);
        assertThat(pool.chat().desired()).isEqualTo(8);
        pool.put(aPool().from(1, 2));
        assertThat(pool.chat().desired()).isEqualTo(2);
        assertThat(pool.explained().reason())
                .isEqualTo("an operator holds the pool at 8, but max is 2: a launch");
        pool.put(aPool().from(1, 6));
        assertThat(pool.chat().desired()).isEqualTo(6);
    }

    @Test
    void aPoolWithTheNameOfARemovedOneBeginsAnew() {
        pool.put(aPool().from(1, 8));
        pool.run();
        pool.report(5, List.of());
        JobId old = pool.replica(0);
        hold(0);
        pool.scene.tell(new Command.RemovePool(PoolScene.CHAT, "me"));
        assertThat(pool.scene.phase(old)).isEqualTo("Stopping");
        pool.put(aPool().from(2, 8));
        assertThat(pool.chat().hold()).isNull();
        assertThat(pool.chat().load().newest()).isNull();
        assertThat(pool.chat().recent()).singleElement().extracting("to").isEqualTo(2);
        assertThat(pool.counts().active()).isEqualTo(2);
        assertThat(pool.jobs()).contains(old);
    }
}
