/// Questions about the past, one at a time.
@NullMarked
package io.gpusched.server.whatif;

import org.jspecify.annotations.NullMarked;
