/// Tests of the evaluation of players.
@NullMarked
package io.gpusched.lab.evaluate;

import org.jspecify.annotations.NullMarked;
