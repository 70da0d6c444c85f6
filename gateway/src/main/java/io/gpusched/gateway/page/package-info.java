/// The pages about the gateway itself: metrics for Prometheus and the status for people.
///
/// Both are written on the thread of the loop from what it owns.
@NullMarked
package io.gpusched.gateway.page;

import org.jspecify.annotations.NullMarked;
