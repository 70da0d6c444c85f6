/// The commands of `gpu-cli`, one small class each.
///
/// Read `CliCommand` and `CliSession` first, then any command: `syntax` declares what the user may
/// type, and `run` does the work. Register a new command in `CommandCatalogue`. Commands use the
/// REST client only; they must not touch HTTP or the real clock.
///
///     gpu-cli cancel job-7        → new CancelCommand().run(session, operands [job-7])
@NullMarked
package io.gpusched.cli.command;

import org.jspecify.annotations.NullMarked;
