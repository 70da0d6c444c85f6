/// Gates: reasons to hold a job back whatever the nodes look like. Read
/// [io.gpusched.core.policy.gate.QuotaGate] first. No gate looks at nodes.
@NullMarked
package io.gpusched.core.policy.gate;

import org.jspecify.annotations.NullMarked;
