/// Decides whether a job with a deadline runs on spot capacity, runs on demand, or waits.
///
/// Read `DeadlineRule` first. It uses a model of how spot capacity comes and goes
/// (`AvailabilityModel`), adapted to what was seen (`SpotHistory`), and the expected costs that
/// follow from it (`ExpectedCosts`). The package knows neither nodes nor events.
@NullMarked
package io.gpusched.core.spot;

import org.jspecify.annotations.NullMarked;
