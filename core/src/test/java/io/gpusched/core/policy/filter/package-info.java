/// Tests of the filters.
@NullMarked
package io.gpusched.core.policy.filter;

import org.jspecify.annotations.NullMarked;
