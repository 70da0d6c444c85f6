/// Fitters: which GPUs of a node a task gets. Topology, MIG and sharing live here and nowhere else.
/// Read [io.gpusched.core.policy.fit.DefaultFitter] first. A fitter must not compare nodes.
@NullMarked
package io.gpusched.core.policy.fit;

import org.jspecify.annotations.NullMarked;
