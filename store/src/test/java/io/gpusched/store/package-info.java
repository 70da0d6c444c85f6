/// Tests of the store against the real databases.
@NullMarked
package io.gpusched.store;

import org.jspecify.annotations.NullMarked;
