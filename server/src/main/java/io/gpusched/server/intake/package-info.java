/// Turns requests into commands for the cell and returns its answers. REST and gRPC both use it, so
/// that they cannot disagree.
///
/// Read [io.gpusched.server.intake.JobIntake] first. `wire` defines the fields of a request; this
/// package checks what the caller may ask for. Nothing here knows HTTP or gRPC.
///
///     {"gpu_count": 2} of team-a's token  →  Command.Submit(team-a, 2 GPUs)  →  job-17
@NullMarked
package io.gpusched.server.intake;

import org.jspecify.annotations.NullMarked;
