/// What came of a simulation: figures ([io.gpusched.sim.report.Report]) and the story
/// ([io.gpusched.sim.report.Timeline]).
///
/// Both are made from durable batches alone, so that the same code can report on a journal of
/// production. Nothing here decides or simulates anything.
///
///     batches ──▶ Tally ──▶ Report ──▶ text, JSON
@NullMarked
package io.gpusched.sim.report;

import org.jspecify.annotations.NullMarked;
