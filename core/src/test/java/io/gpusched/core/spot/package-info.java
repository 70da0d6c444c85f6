/// Tests of the rule for deadlines on spot capacity.
@NullMarked
package io.gpusched.core.spot;

import org.jspecify.annotations.NullMarked;
