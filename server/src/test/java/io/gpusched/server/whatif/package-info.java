/// Tests of the what-if service.
@NullMarked
package io.gpusched.server.whatif;

import org.jspecify.annotations.NullMarked;
