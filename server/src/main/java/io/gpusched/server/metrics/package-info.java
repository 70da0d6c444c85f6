/// Metrics in Prometheus' text format.
///
/// Read [io.gpusched.server.metrics.Meters] first. Labels have few values: states, nodes, classes
/// of status codes, never jobs or users.
///
///     gpu_scheduler_jobs_total{state="completed"} 1042
@NullMarked
package io.gpusched.server.metrics;

import org.jspecify.annotations.NullMarked;
