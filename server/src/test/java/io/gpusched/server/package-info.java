/// Tests of the whole server: the real one, in this process or in one of its own, with a SQLite
/// store in a temporary directory.
@NullMarked
package io.gpusched.server;

import org.jspecify.annotations.NullMarked;
