/// Tests of the gates.
@NullMarked
package io.gpusched.core.policy.gate;

import org.jspecify.annotations.NullMarked;
