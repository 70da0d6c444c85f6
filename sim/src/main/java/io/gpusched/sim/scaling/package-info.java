/// What another law would have done with the recorded load of a pool: the record, the requests and
/// the replicas made from it, the runs, and the check of how far they can be trusted.
///
/// Read [ScalerWhatIf] first. The runs themselves are in `sim.pools`.
@NullMarked
package io.gpusched.sim.scaling;

import org.jspecify.annotations.NullMarked;
