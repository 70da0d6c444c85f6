/// Prediction of runtimes: learned run by run, with calibrated uncertainty.
///
/// Read [io.gpusched.core.learn.runtime.RuntimeModel] first. It observes the starts and ends of
/// runs. For a kind of work on a GPU model it predicts the runtime, as a distribution
/// ([io.gpusched.core.learn.runtime.RuntimeEstimate]) and as a short summary
/// ([io.gpusched.core.learn.runtime.Belief]). Everything is in the logarithm of seconds, because
/// runtimes spread over six powers of ten and relative differences matter.
///
/// Nothing here may read a clock, draw random numbers or depend on an order that differs between
/// machines: the same runs lead to the same model, bit for bit. All memory is bounded.
///
///     started(7, train-bert on A100, 10:00)  ended(7, 10:20)
///     estimate(train-bert on A100, 10:30)    →  half done by 20 min, nine in ten by 31 min
@NullMarked
package io.gpusched.core.learn.runtime;

import org.jspecify.annotations.NullMarked;
