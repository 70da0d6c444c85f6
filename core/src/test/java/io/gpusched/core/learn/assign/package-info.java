/// Tests of the assignment of many jobs at once.
@NullMarked
package io.gpusched.core.learn.assign;

import org.jspecify.annotations.NullMarked;
