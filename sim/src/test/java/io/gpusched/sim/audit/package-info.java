/// Tests that the auditor objects to every broken promise.
@NullMarked
package io.gpusched.sim.audit;

import org.jspecify.annotations.NullMarked;
