/// Explanations: why a job waits or runs where it does, and what would let it start. The code uses
/// the same gates, nodes and preemptor as a real turn, inside trials that are always undone.
///
/// Read [io.gpusched.core.explain.Explainer] first. This package stands above the engine and reads
/// it; nothing in core depends on it. It never decides and never records an event.
///
///     job-7 waits for 8 GPUs   →   n1, n2: 3 GPUs short; held by job-2, job-3; 4 GPUs would fit
/// now
@NullMarked
package io.gpusched.core.explain;

import org.jspecify.annotations.NullMarked;
