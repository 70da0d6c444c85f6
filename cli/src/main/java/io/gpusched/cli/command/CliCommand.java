package io.gpusched.cli.command;

import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;

/// One command of `gpu-cli`: its syntax and what it does.
public interface CliCommand {
    Syntax syntax();

    /// Runs the command and returns the exit code of the process. May throw refusals of the server;
    /// `Main` prints them and exits with 1.
    int run(CliSession cliSession, ParsedArguments parsedArguments);
}
