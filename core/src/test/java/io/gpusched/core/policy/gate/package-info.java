/// Tests of the rules that pack.
@NullMarked
package io.gpusched.core.policy.gate;

import org.jspecify.annotations.NullMarked;
