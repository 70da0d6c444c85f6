/// How a command line is read: which words may be typed, what they mean, and help for those who
/// typed others.
///
/// Read `Syntax` first, then `ArgumentParser`. Everything is declared as values, without
/// annotations and reflection, because all of it then comes out of the cache with which the JVM
/// starts; `gpu-cli` takes less time as a whole than a library took to look at its own options.
/// Nothing here knows any command.
///
///     static final Option<Long> GPUS = Option.whole("-g --gpus", "N", "GPUs in total.");
///     typed.or(GPUS, 1L);
@NullMarked
package io.gpusched.cli.args;

import org.jspecify.annotations.NullMarked;
