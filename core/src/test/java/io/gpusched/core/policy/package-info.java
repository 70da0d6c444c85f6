/// Tests of rules.
@NullMarked
package io.gpusched.core.policy;

import org.jspecify.annotations.NullMarked;
