/// When waiting jobs will start: a copy of the engine is simulated into the future several times,
/// with runtimes drawn at random from their predicted distribution.
///
/// Read [io.gpusched.core.forecast.StartForecast] first. Nothing here decides anything; a forecast
/// works on a copy of the ledger, which is then dropped.
///
///     job-7, 20 runs   →   starts between 14:05 and 14:40, most likely at 14:10
@NullMarked
package io.gpusched.core.forecast;

import org.jspecify.annotations.NullMarked;
