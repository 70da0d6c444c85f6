/// The engine: it answers inputs, lets waiting jobs take turns in a cycle, and returns its
/// decisions as events.
///
/// Read [io.gpusched.core.engine.Engine] first, then [io.gpusched.core.engine.Cycle]. Everything
/// here is a function of the ledger, the policy and the given time. Journals, agents and
/// explanations are not known here.
///
///     job-7 submitted, n1 has 4 GPUs free   →   AttemptPlaced job-7 on n1[0-3]
@NullMarked
package io.gpusched.core.engine;

import org.jspecify.annotations.NullMarked;
