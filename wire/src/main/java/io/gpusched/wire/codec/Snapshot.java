package io.gpusched.wire.codec;

import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.state.StateImage;

/// Everything the ledger holds and everything that was learned, after one batch.
///
/// @param digest of both: the journal has the same for that batch, or the two do not belong
///     together
public record Snapshot(StateImage image, LearnerImage learned, long digest) {}
