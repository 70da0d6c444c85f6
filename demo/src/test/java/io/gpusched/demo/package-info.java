/// Tests of the demo.
@NullMarked
package io.gpusched.demo;

import org.jspecify.annotations.NullMarked;
