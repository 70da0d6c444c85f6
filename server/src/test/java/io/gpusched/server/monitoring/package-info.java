/// The Grafana dashboards and how they are generated, and tools to check them and the Prometheus
/// rules. Start with [io.gpusched.server.monitoring.Dashboards].
@NullMarked
package io.gpusched.server.monitoring;

import org.jspecify.annotations.NullMarked;
