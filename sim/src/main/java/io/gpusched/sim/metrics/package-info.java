/// The metrics by which runs are compared: waiting and completion times, fairness, GPU use and
/// waste, energy, cost and carbon. Read [io.gpusched.sim.metrics.RunMeter] first.
///
/// Metrics, like reports, are computed from durable batches alone, so the same code can measure a
/// production journal. Nothing here decides or simulates anything.
///
///     batches ──▶ RunMeter ──▶ RunMeasurements ──▶ values by Metric, curves, bars
@NullMarked
package io.gpusched.sim.metrics;

import org.jspecify.annotations.NullMarked;
