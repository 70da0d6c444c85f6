/// What learning is worth, measured with the production core: waits with backfill by predicted run
/// times, ranges for starts, neighbours that slow each other down, and the price of trying out.
///
/// Read [io.gpusched.lab.learning.LearningRun] first: it lets jobs come to a cell in simulated
/// time. Nothing here decides anything that the core decides.
@NullMarked
package io.gpusched.lab.learning;

import org.jspecify.annotations.NullMarked;
