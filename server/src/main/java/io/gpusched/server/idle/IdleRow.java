package io.gpusched.server.idle;

import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.NodeId;

import java.time.Instant;

/// A task that does not use GPUs it holds.
///
/// @param held thousandths of GPUs it holds
/// @param gpus the ones it does not use, one bit each
/// @param idle thousandths of GPUs it does not use
/// @param since from when on the first of them has done nothing
/// @param wastedMillis GPU milliseconds that passed unused since
/// @param percent how much those GPUs are used now, on average; not a number where unknown
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
