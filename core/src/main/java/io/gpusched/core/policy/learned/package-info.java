/// Learned queue orders: the numbers by which a model sees waiting jobs.
///
/// Read [io.gpusched.core.policy.learned.HeadEncoder] first. Training and production use this one
/// encoder, so a model is valid for one [io.gpusched.core.policy.learned.HeadEncoder#VERSION] only.
/// Nothing here trains, reads a file or keeps anything from one decision to the next.
@NullMarked
package io.gpusched.core.policy.learned;

import org.jspecify.annotations.NullMarked;
