/// The documents of pools: JSON to the records of `core.pool` and back, and the manifests of the
/// NeuroNetes kinds (AgentPool, AgentClass, Model, ToolBinding).
///
/// Read [io.gpusched.wire.pool.PoolRequest] first. Everything that depends only on a document is
/// checked here. Whether a tenant or a model exists is the cell's to say.
///
///     {"name": "chat", "max_replicas": 8, "slo": {"ttft_ms": 500}}  →  Pool
@NullMarked
package io.gpusched.wire.pool;

import org.jspecify.annotations.NullMarked;
