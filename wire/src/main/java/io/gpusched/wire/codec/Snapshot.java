package io.gpusched.wire.codec;

import io.gpusched.core.state.StateImage;

/// Everything the ledger holds after one batch.
///
/// @param digest of the ledger: the journal has the same for that batch, or the two do not belong
///     together
public record Snapshot(StateImage image, long digest) {}
