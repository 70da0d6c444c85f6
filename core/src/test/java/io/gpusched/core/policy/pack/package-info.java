/// Tests of the rules that pack.
@NullMarked
package io.gpusched.core.policy.pack;

import org.jspecify.annotations.NullMarked;
