/// How the engine answers, decides and recovers.
@NullMarked
package io.gpusched.core.engine;

import org.jspecify.annotations.NullMarked;
