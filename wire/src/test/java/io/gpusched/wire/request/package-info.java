/// Tests of the readers of requests.
@NullMarked
package io.gpusched.wire.request;

import org.jspecify.annotations.NullMarked;
