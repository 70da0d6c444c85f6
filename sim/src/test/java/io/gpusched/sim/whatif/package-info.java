/// What the record says and what is made of it.
@NullMarked
package io.gpusched.sim.whatif;

import org.jspecify.annotations.NullMarked;
