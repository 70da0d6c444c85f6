/// Builders for tests: a job, a node, a scene with a cell in it. Read [io.gpusched.core.kit.Scene]
/// first.
@NullMarked
package io.gpusched.core.kit;

import org.jspecify.annotations.NullMarked;
