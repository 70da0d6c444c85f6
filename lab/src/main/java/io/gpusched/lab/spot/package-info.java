/// Two experiments with spot capacity. `DeadlineRuns`: a batch job with a deadline moves between
/// spot capacity and on demand. `ServingWindow`: replicas of a service are spread over the spot
/// capacity of several zones.
///
/// The policies of the publications are here. The rule for deadlines that we compare with them is
/// the one of the scheduler, in `core.spot`.
@NullMarked
package io.gpusched.lab.spot;

import org.jspecify.annotations.NullMarked;
