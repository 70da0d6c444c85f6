package io.gpusched.core.engine;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Replica;
import io.gpusched.core.policy.score.ModelCache;
import io.gpusched.core.pool.Pool;

/// Builds the job of a replica from what its pool says.
final class ReplicaSpecs {
    private ReplicaSpecs() {}

    /// @param model the model that it loads; empty where none is named
    static JobSpec of(Pool pool, int number, String model, boolean memoryPerGpu) {
        JobSpec spec = pool.replica();
        if (memoryPerGpu) {
            spec = spec.countingMemoryPerGpu();
        }
        if (!model.isEmpty()) {
            spec = spec.withLabels(spec.labels().with(ModelCache.MODEL, model));
        }
        return spec.withPayload(payload(pool, number, model))
                .as(pool.id() + "-" + number, new Replica(pool.id().name(), number));
    }

    private static Payload payload(Pool pool, int number, String model) {
        Payload given = pool.replica().payload();
        Labels environment =
                given.environment()
                        .with("GPU_SCHEDULER_POOL", pool.id().name())
                        .with("GPU_SCHEDULER_REPLICA", Integer.toString(number));
        if (pool.serving().port() > 0) {
            int port = pool.serving().port() + number;
            environment = environment.with("GPU_SCHEDULER_PORT", Integer.toString(port));
        }
        if (!model.isEmpty()) {
            environment = environment.with("GPU_SCHEDULER_MODEL", model);
        }
        return new Payload(
                given.script(),
                given.command(),
                given.args(),
                environment,
                given.image(),
                given.workingDir());
    }
}
