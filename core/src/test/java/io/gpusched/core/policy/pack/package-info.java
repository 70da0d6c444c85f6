/// Tests of the packing rules.
@NullMarked
package io.gpusched.core.policy.pack;

import org.jspecify.annotations.NullMarked;
