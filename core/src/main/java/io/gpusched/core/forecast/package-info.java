/// When waiting jobs will start: the engine itself is run ahead, many times, with runtimes drawn by
/// chance from what is known about them.
///
/// Read [io.gpusched.core.forecast.StartForecast] first. Nothing here decides anything; a forecast
/// is made of a copy of the ledger and thrown away.
@NullMarked
package io.gpusched.core.forecast;

import org.jspecify.annotations.NullMarked;
