/// `gpu-cli`: the command-line client of the scheduler. It uses the public REST API only.
///
/// Read `Main` first, then `command.CliSession` and one command. Arguments, environment, streams
/// and time come in through `CliContext`, so that tests run the whole program. It must start fast:
/// no libraries, and no class is loaded that the command does not use.
///
///     gpu-cli submit --gpus 2 -- python train.py
@NullMarked
package io.gpusched.cli;

import org.jspecify.annotations.NullMarked;
