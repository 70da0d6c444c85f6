package io.gpusched.cli.command;

import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;

/// A command: what may be said to it, and what it does.
public interface CliCommand {
    Syntax syntax();

    /// Does it, and returns the exit code of the process. Refusals of the server may be thrown: the
    /// edge of the program tells them and exits with 1.
    int run(CliSession cliSession, ParsedArguments parsedArguments);
}
