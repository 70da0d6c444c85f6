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

/// What lies around the program: its environment, its streams, whether a person looks at them on a
/// terminal, and time.
public record CliContext(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean terminal,
        PollingClock pollingClock) {

    /// Those of the real process. Output is always UTF-8, and written in large pieces.
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

    /// The value of an environment variable, empty where it is not set.
    String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    /// Which of the two ways a JDK says "no terminal" depends on its release and settings.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
