/// `bin/lab`: runs policies on simulated clusters and repeats published experiments.
///
/// Read [io.gpusched.lab.Main] first; every command is one class, named after the
/// command (`lab swf` is [io.gpusched.lab.SwfCommand]). A command reads its options, shows progress
/// and prints; the packages below do the work. Only the lab, and not the simulator, reads the real
/// clock, to report how fast a simulation went.
///
///     bin/lab simulate scenarios/busy-day.yaml --policy fifo --seed 7
@NullMarked
package io.gpusched.lab;

import org.jspecify.annotations.NullMarked;
