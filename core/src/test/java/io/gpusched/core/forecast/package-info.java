@NullMarked
package io.gpusched.core.forecast;

import org.jspecify.annotations.NullMarked;
