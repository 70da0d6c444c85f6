package io.gpusched.wire.codec;

import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.state.StateImage;

/// The cluster state and the learned models after one batch.
///
/// @param digest of both; the journal has the same digest for that batch, or the two do not belong
/// together
public record Snapshot(StateImage image, LearnerImage learned, long digest) {}
