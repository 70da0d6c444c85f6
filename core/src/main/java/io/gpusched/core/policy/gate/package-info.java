/// Gates: rules that hold a job back independently of the nodes. Read
/// [io.gpusched.core.policy.gate.QuotaGate] first. A gate must not look at nodes.
/// Plans made from a carbon forecast are here as well.
@NullMarked
package io.gpusched.core.policy.gate;

import org.jspecify.annotations.NullMarked;
