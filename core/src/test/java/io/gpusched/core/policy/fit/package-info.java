/// Tests of the choice of GPUs inside a node.
@NullMarked
package io.gpusched.core.policy.fit;

import org.jspecify.annotations.NullMarked;
