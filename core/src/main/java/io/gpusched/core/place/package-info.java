/// Where a job fits: places for all of its tasks at once, or who would have to leave for it.
///
/// Read [io.gpusched.core.place.Placing] first. [io.gpusched.core.place.Search] looks at nodes,
/// [io.gpusched.core.place.Gang] puts tasks together, [io.gpusched.core.place.Headroom] counts
/// where counting is enough. Nothing here changes the ledger but a trial, which is undone.
@NullMarked
package io.gpusched.core.place;

import org.jspecify.annotations.NullMarked;
