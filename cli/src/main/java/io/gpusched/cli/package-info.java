/// `gpu-cli`: the scheduler from a terminal, over its public REST API and nothing else.
///
/// Read `Main` first, then `command.Session` and one command. Everything from outside (arguments,
/// environment, streams, time) enters through `CliContext`, so a test runs the same program that
/// a person runs. It must start fast: no library, and nothing loaded that the one command
/// at hand does not use.
///
///     gpu-cli submit --gpus 2 -- python train.py
@NullMarked
package io.gpusched.cli;

import org.jspecify.annotations.NullMarked;
