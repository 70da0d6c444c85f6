/// Tests of live events.
@NullMarked
package io.gpusched.server.live;

import org.jspecify.annotations.NullMarked;
