/// What would have been: recorded history, decided once more, by the same rules or by others.
///
/// Read [io.gpusched.sim.whatif.Course] first. It takes recorded batches one by one and lets the
/// production engine decide again. As long as it decides what was recorded it takes what happened
/// as it happened; from the first other decision on, runs take as long as they truly did, and only
/// what did not depend on the scheduler (who came, who cancelled, which node failed) is taken from
/// the record. So the same policy leads exactly where it led, and no model stands between.
///
/// Nothing here reads a clock or a file: histories are handed in.
///
///     recorded   ──●──●──●──●──●──●──▶
///     otherwise          └──○──○─○───▶   from the first decision that differs
@NullMarked
package io.gpusched.sim.whatif;

import org.jspecify.annotations.NullMarked;
