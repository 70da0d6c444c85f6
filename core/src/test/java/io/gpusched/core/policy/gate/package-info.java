/// Tests of the rules that hold jobs back.
@NullMarked
package io.gpusched.core.policy.gate;

import org.jspecify.annotations.NullMarked;
