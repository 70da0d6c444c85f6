/// Tests of `view`.
@NullMarked
package io.gpusched.server.view;

import org.jspecify.annotations.NullMarked;
