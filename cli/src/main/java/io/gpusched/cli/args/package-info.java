/// The command-line parser: declarations of options and operands, parsing, and help texts.
///
/// Read `Syntax` first, then `ArgumentParser`. Options are declared as values, without annotations
/// and reflection, so that the JVM loads them from its ahead-of-time cache. A whole run of
/// `gpu-cli` takes less time than an annotation-based library took to inspect its options. Nothing
/// here knows a particular command.
///
///     static final Option<Long> GPUS = Option.whole("-g --gpus", "N", "GPUs of all tasks.");
///     parsedArguments.or(GPUS, 1L);
@NullMarked
package io.gpusched.cli.args;

import org.jspecify.annotations.NullMarked;
