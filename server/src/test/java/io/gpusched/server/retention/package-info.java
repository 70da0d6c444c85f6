/// Tests of [io.gpusched.server.retention.Retention].
@NullMarked
package io.gpusched.server.retention;

import org.jspecify.annotations.NullMarked;
