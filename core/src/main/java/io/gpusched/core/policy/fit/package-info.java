/// Fitters: which GPUs of a node a task gets. Topology, MIG and sharing live here and nowhere else.
/// Read [io.gpusched.core.policy.fit.InsideNode] first.
@NullMarked
package io.gpusched.core.policy.fit;

import org.jspecify.annotations.NullMarked;
