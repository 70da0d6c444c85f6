/// One small class per command of `gpu-cli`.
///
/// Read `CliCommand` and `CliSession` first, then any command: the fields are what a person may
/// type, `run` is what happens, and `CommandCatalogue` is where a new command is entered. Commands
/// never touch HTTP, files of the server or the real clock.
///
///     gpu-cli cancel job-7        → new Cancel(), ids = [job-7], run(session)
@NullMarked
package io.gpusched.cli.command;

import org.jspecify.annotations.NullMarked;
