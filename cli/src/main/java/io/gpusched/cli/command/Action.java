package io.gpusched.cli.command;

/// A command whose options have been read and which can now be carried out.
public interface Action {
    /// Does it, and returns the exit code of the process. Refusals of the server may be thrown: the
    /// edge of the program tells them and exits with 1.
    int run(Session session);
}
