/// Tests of whole processes, started by the launchers in `bin` as people start them.
///
/// Read [io.gpusched.demo.process.Started] first.
@NullMarked
package io.gpusched.demo.process;

import org.jspecify.annotations.NullMarked;
