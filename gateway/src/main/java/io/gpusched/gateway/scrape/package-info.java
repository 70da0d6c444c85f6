/// Reads what replicas say about themselves: whether they are healthy, and their own metrics.
///
/// Read [io.gpusched.gateway.scrape.ReplicaWatch] first. A replica that answers garbage, without
/// end or not at all has no figures; it never has wrong ones.
@NullMarked
package io.gpusched.gateway.scrape;

import org.jspecify.annotations.NullMarked;
