package io.gpusched.server.idle;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.NodeId;

import java.time.Instant;

/// A task that holds GPUs without using them, as the idle list shows it.
///
/// @param held GPUs that it holds, in thousandths
/// @param gpus the unused GPUs, one bit each
/// @param idle GPUs that it does not use, in thousandths
/// @param since when the first of them became unused
/// @param wastedMillis unused GPU milliseconds since then
/// @param percent mean utilization of those GPUs now; NaN if unknown
/// @param whole whether it uses none of its GPUs at all
public record IdleRow(
        AttemptId attempt,
        int rank,
        NodeId node,
        long held,
        long gpus,
        long idle,
        Instant since,
        long wastedMillis,
        double percent,
        boolean whole) {}
