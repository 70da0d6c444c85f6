/// What-if analysis: replays a recorded journal under the same or another policy.
///
/// Read [io.gpusched.sim.whatif.ReplayBranch] first. It reads the recorded batches one by one and
/// lets the production engine decide each cycle again. While every decision equals the recorded
/// one, it applies the recorded facts. After the first different decision, jobs run for as long as
/// they truly ran, and the branch takes from the journal only facts that no decision caused:
/// submissions, cancellations, node failures. So a replay under the recorded policy gives exactly
/// the recorded result.
///
/// Nothing here reads a clock or a file: callers pass a [io.gpusched.sim.whatif.History].
///
///     recorded   ──●──●──●──●──●──●──▶
///     otherwise          └──○──○─○───▶   from the first decision that differs
@NullMarked
package io.gpusched.sim.whatif;

import org.jspecify.annotations.NullMarked;
