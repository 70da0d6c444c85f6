/// Tests about core as a whole: what it may touch, and which package may use which.
@NullMarked
package io.gpusched.core;

import org.jspecify.annotations.NullMarked;
