/// Tests of whole processes, which the launchers in `bin` start as a user does.
///
/// Read [io.gpusched.demo.process.Started] first.
@NullMarked
package io.gpusched.demo.process;

import org.jspecify.annotations.NullMarked;
