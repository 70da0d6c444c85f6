package io.gpusched.cli;

import io.gpusched.cli.command.PollingClock;

import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The environment of the program: environment variables, standard streams, terminal and clock.
///
/// @param terminal whether standard output is a terminal
public record CliContext(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean terminal,
        PollingClock pollingClock) {

    /// The environment of this process. Output is always UTF-8 and is buffered.
    static CliContext ofProcess() {
        var out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 14);
        return new CliContext(
                System.getenv(),
                System.in,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                isTerminal(),
                PollingClock.real());
    }

    /// The value of an environment variable, empty if it is not set.
    String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    /// JDK releases differ: without a terminal the console is null, or it says so.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
