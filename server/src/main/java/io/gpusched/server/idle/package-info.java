/// GPUs that jobs hold without using them. Read [io.gpusched.server.idle.IdleWatch] first: it
/// receives readings several times a minute, reports changes from busy to idle and back to the
/// cell, and serves the idle list. Whether an idle job is stopped is decided by the cell, not here.
@NullMarked
package io.gpusched.server.idle;

import org.jspecify.annotations.NullMarked;
