/// Requests as people write them: JSON to a small tree, a tree to the records of the core, or to
/// problems that name the field and a way out.
///
/// Read [io.gpusched.wire.request.JobRequest] first. Everything that depends only on the request is
/// checked here; what depends on the ledger (does the tenant exist, does the quota allow it) is the
/// engine's business.
///
///     {"gpu_count": 4, "gpu_modle": "A100"}  →  JobSpec(4 GPUs), "gpu_modle is not known …"
@NullMarked
package io.gpusched.wire.request;

import org.jspecify.annotations.NullMarked;
