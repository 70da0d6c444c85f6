/// From the words of a request to a command for the cell, and its answer. REST and gRPC both come
/// through here, so that they cannot disagree.
///
/// Read [io.gpusched.server.intake.JobIntake] first. What a field means is `wire`'s business; here
/// it is settled whose request it is.
///
///     {"gpu_count": 2} of team-a's token  →  Command.Submit(team-a, 2 GPUs)  →  job-17
@NullMarked
package io.gpusched.server.intake;

import org.jspecify.annotations.NullMarked;
