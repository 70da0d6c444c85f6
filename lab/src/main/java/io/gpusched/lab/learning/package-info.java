/// Measures the benefit of learning with the production core: waiting times with backfill by
/// predicted run times, predicted ranges of start times, interference, and the cost of exploring.
///
/// Read [io.gpusched.lab.learning.LearningRun] first: it submits jobs to a cell in simulated time.
/// All decisions are made by the core.
@NullMarked
package io.gpusched.lab.learning;

import org.jspecify.annotations.NullMarked;
