/// Tests of facts.
@NullMarked
package io.gpusched.core.model;

import org.jspecify.annotations.NullMarked;
