package io.gpusched.wire.manifest;

import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.QueueBinding;

/// One object of a manifest, in terms of the core.
public sealed interface Manifest {
    /// The kind as it was written, and the name.
    String kind();

    String name();

    /// @param agentClass the class that gives it its model and objectives; empty for none
    record OfPool(String kind, Pool pool, String agentClass) implements Manifest {
        @Override
        public String name() {
            return pool.id().name();
        }
    }

    record OfClass(String kind, AgentClass agentClass) implements Manifest {
        @Override
        public String name() {
            return agentClass.name();
        }
    }

    record OfModel(String kind, ModelSpec model) implements Manifest {
        @Override
        public String name() {
            return model.name();
        }
    }

    record OfBinding(String kind, QueueBinding binding) implements Manifest {
        @Override
        public String name() {
            return binding.name();
        }
    }
}
