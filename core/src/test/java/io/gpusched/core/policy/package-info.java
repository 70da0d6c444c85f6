/// Tests of the policy values.
@NullMarked
package io.gpusched.core.policy;

import org.jspecify.annotations.NullMarked;
