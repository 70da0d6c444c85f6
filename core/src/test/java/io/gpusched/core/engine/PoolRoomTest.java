package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.model.Limits;

import org.junit.jupiter.api.Test;

final class PoolRoomTest {
    /// A replica with two GPUs of 50,001 MiB for a tenant with 100,000 MiB.
    private static int room(EngineSettings settings) {
        var pool = new PoolScene(settings, "n1");
        var limit =
                new Limits(
                        Limits.UNLIMITED,
                        100_000,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED);
        pool.scene.tenant("team", limit, false);
        pool.put(aPool().of(aJob().of("team").gpus(2).gpuMemoryMiB(50_001)).from(0, 4));
        return PoolSizing.of(pool.scene.engine(), pool.scene.now()).room(pool.chat(), 1);
    }

    @Test
    void roomCountsGpuMemoryAsTheEngineDoes() {
        assertThat(room(PoolBuilder.settings())).isEqualTo(1);
        assertThat(room(PoolBuilder.settings().withGpuMemoryPerGpu(true))).isZero();
    }
}
