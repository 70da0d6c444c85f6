/// Estimates of when waiting jobs will start. Read [io.gpusched.server.forecast.StartForecaster]
/// first: it simulates a copy of the cluster state ahead, periodically and on a thread of its own,
/// and publishes the result. No decision of the scheduler may depend on it.
@NullMarked
package io.gpusched.server.forecast;

import org.jspecify.annotations.NullMarked;
