/// The policy in force, and what changes it: commands, the promotion rule and the fallback guard.
///
/// Read [io.gpusched.server.policy.PolicyControl] first. [io.gpusched.server.policy.PolicyGuard]
/// contains the rules and nothing else: no thread, no clock. Every change is a command to the cell,
/// so that it is in the journal with its reason; nothing here changes the policy in another way.
///
///     cycle times, invalid rankings ──┐
///     shadow's comparison ────────────┼─▶ guard ──▶ control ── SetPolicy ──▶ cell
///     policy in force ────────────────┘
@NullMarked
package io.gpusched.server.policy;

import org.jspecify.annotations.NullMarked;
