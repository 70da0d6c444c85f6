/// Tests of model caches of a cluster.
@NullMarked
package io.gpusched.operator.models;

import org.jspecify.annotations.NullMarked;
