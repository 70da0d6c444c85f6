/// Tests of the model records.
@NullMarked
package io.gpusched.core.model;

import org.jspecify.annotations.NullMarked;
