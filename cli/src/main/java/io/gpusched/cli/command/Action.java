package io.gpusched.cli.command;

import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// A command: what may be said to it, and what it does.
public interface Action {
    Syntax syntax();

    /// Does it, and returns the exit code of the process. Refusals of the server may be thrown: the
    /// edge of the program tells them and exits with 1.
    int run(Session session, Typed typed);
}
