/// The results of a simulation: figures ([io.gpusched.sim.report.RunReport]) and a timeline of
/// events ([io.gpusched.sim.report.Timeline]).
///
/// Both are computed from durable batches alone, so the same code can report on a production
/// journal. Nothing here decides or simulates anything.
///
///     batches ──▶ ReportCounter ──▶ RunReport ──▶ text, JSON
@NullMarked
package io.gpusched.sim.report;

import org.jspecify.annotations.NullMarked;
