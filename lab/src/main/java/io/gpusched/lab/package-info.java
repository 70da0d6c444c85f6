/// `bin/lab`: the bench where policies are tried out.
///
/// Read [io.gpusched.lab.Main] first; every command is one class. Commands put parts together, show
/// progress and print; what they print is made elsewhere. This is the only place around the
/// simulator that may look at a real clock, to say how fast a simulation went.
///
///     bin/lab simulate scenarios/busy-day.yaml --policy fifo --seed 7
@NullMarked
package io.gpusched.lab;

import org.jspecify.annotations.NullMarked;
