/// How GPUs inside a node are chosen.
@NullMarked
package io.gpusched.core.policy.fit;

import org.jspecify.annotations.NullMarked;
