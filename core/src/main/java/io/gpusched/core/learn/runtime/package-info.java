/// How long work will take: learned run by run, with honest uncertainty.
///
/// Read [io.gpusched.core.learn.runtime.RuntimeModel] first. It is told when runs start and end and
/// says for work of a kind on a GPU model how long it will take, as a whole distribution
/// ([io.gpusched.core.learn.runtime.Estimate]) and as a few figures
/// ([io.gpusched.core.learn.runtime.Belief]). Everything is in the logarithm of seconds, because
/// run times spread over six powers of ten and what matters is how many times longer.
///
/// Nothing here looks at a clock, rolls dice or depends on an order that differs between machines:
/// the same runs lead to the same model, bit for bit. All memory is bounded.
///
///     started(7, train-bert on A100, 10:00)  ended(7, 10:20)
///     estimate(train-bert on A100, 10:30)    →  half done by 20 min, nine in ten by 31 min
@NullMarked
package io.gpusched.core.learn.runtime;

import org.jspecify.annotations.NullMarked;
