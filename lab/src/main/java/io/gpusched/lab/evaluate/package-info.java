/// Prints the scores of baseline schedulers in the reinforcement-learning environment.
///
/// Read [io.gpusched.lab.evaluate.ScoreLines] first. The environment is in `rl`.
@NullMarked
package io.gpusched.lab.evaluate;

import org.jspecify.annotations.NullMarked;
