/// Independent checks of the scheduler: audits with their own bookkeeping follow the events and
/// report a violated invariant.
///
/// Read [io.gpusched.sim.audit.Auditor] first; [io.gpusched.sim.audit.NaiveLedger] is the slow,
/// obvious ledger that the fast one is compared with. Nothing here reads the engine's ledger to
/// find out what is true, and nothing here decides.
///
///     batch ──▶ Auditor ──(violated?)──▶ Violation: event, invariant, what was found
@NullMarked
package io.gpusched.sim.audit;

import org.jspecify.annotations.NullMarked;
