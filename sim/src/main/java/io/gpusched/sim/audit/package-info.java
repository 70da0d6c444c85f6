/// Second opinions: bookkeeping of its own that follows the events and objects when a promise is
/// broken.
///
/// Read [io.gpusched.sim.audit.Auditor] first; [io.gpusched.sim.audit.NaiveLedger] is the slow,
/// obvious ledger that the fast one is compared with. Nothing here uses the engine's ledger to find
/// out what is true, and nothing here decides.
///
///     batch ──▶ Auditor ──(a promise broken?)──▶ Violation: which event, which promise, what was
/// found
@NullMarked
package io.gpusched.sim.audit;

import org.jspecify.annotations.NullMarked;
