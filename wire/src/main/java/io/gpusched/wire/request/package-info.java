/// Reads requests: JSON to a small tree, and the tree to records of the core or to problems that
/// name the field and what to do.
///
/// Read [io.gpusched.wire.request.JobRequest] first; [io.gpusched.wire.request.Parsed] is the
/// result of every reader. Everything that depends only on the request is checked here. Checks
/// against the cluster state (does the tenant exist, does the quota allow it) belong to the engine.
///
///     {"gpu_count": 4, "gpu_modle": "A100"}  →  JobSpec(4 GPUs), "gpu_modle is not known …"
@NullMarked
package io.gpusched.wire.request;

import org.jspecify.annotations.NullMarked;
