/// Why a job is where it is, and what would change that: the same places, gates and preemptors as
/// in a real turn are asked, and leave no trace.
///
/// Read [io.gpusched.core.explain.Explainer] first.
@NullMarked
package io.gpusched.core.explain;

import org.jspecify.annotations.NullMarked;
