/// Tests of model files, beside what they test.
@NullMarked
package io.gpusched.wire.model;

import org.jspecify.annotations.NullMarked;
