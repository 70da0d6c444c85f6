/// What players of the scheduling game reach, as lines and as a page.
///
/// Read [io.gpusched.lab.evaluate.ScoreLines] first. The game itself is in `rl`.
@NullMarked
package io.gpusched.lab.evaluate;

import org.jspecify.annotations.NullMarked;
