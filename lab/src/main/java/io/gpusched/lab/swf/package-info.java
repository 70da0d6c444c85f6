/// The experiment of RLScheduler (SC 2020): sequences of a batch log, run one job after the other
/// by a fixed order, with or without backfilling. Read [io.gpusched.lab.swf.JobSequence] first.
@NullMarked
package io.gpusched.lab.swf;

import org.jspecify.annotations.NullMarked;
