/// Tests of the history of figures.
@NullMarked
package io.gpusched.server.history;

import org.jspecify.annotations.NullMarked;
