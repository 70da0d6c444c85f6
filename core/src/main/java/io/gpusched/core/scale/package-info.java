/// The laws that recommend how many replicas a pool should have.
@NullMarked
package io.gpusched.core.scale;

import org.jspecify.annotations.NullMarked;
