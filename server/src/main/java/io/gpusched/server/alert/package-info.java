/// Alerts of the scheduler about itself and its cluster. Read
/// [io.gpusched.server.alert.AlertWatch] first: it evaluates every
/// [io.gpusched.server.alert.AlertCondition] over one picture several times a minute, and
/// [io.gpusched.server.alert.AlertBook] decides which alerts fire and resolve. Nothing here
/// influences a scheduling decision, and nothing here runs on the follower's thread except the
/// counts of [io.gpusched.server.alert.RecentActivity].
@NullMarked
package io.gpusched.server.alert;

import org.jspecify.annotations.NullMarked;
