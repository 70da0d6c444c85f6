/// Tests of `http`.
@NullMarked
package io.gpusched.server.http;

import org.jspecify.annotations.NullMarked;
