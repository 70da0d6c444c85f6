/// Tests of `cell`.
@NullMarked
package io.gpusched.server.cell;

import org.jspecify.annotations.NullMarked;
