/// Jobs, nodes, GPUs, tenants and placements as immutable records, validated on construction.
///
/// Read [io.gpusched.core.model.Job] first, then [io.gpusched.core.model.Shape] and
/// [io.gpusched.core.model.Placement]. Nothing here may change state, decide, or read the time.
///
///     Job job-7 of team-a ── spec ──▶ roles: 2 × (4 GPUs, 8 cores)
///                         ── phase ─▶ Running(run on n1[0-3], n2[4-7])
@NullMarked
package io.gpusched.core.model;

import org.jspecify.annotations.NullMarked;
