/// What a run came to, in figures that can be compared: how long jobs waited, how fair it was, how
/// much of the GPUs was used and lost, and what that took in energy, money and carbon. Read
/// [io.gpusched.sim.metrics.Meter] first.
///
/// Like reports, figures are made from durable batches alone, so that the same code can measure a
/// journal of production. Nothing here decides or simulates anything.
///
///     batches ──▶ Meter ──▶ Measured ──▶ figures by Metric, curves, bars
@NullMarked
package io.gpusched.sim.metrics;

import org.jspecify.annotations.NullMarked;
