/// What learning is worth, measured with the production core: waits with backfill by predicted run
/// times, ranges for starts, neighbours that slow each other down, and the price of trying out.
///
/// Read [io.gpusched.lab.learning.Yard] first: a cluster in simulated time that is no more than an
/// engine and a heap of ends. Nothing here decides anything that the core decides.
@NullMarked
package io.gpusched.lab.learning;

import org.jspecify.annotations.NullMarked;
