package io.gpusched.cli.command;

import picocli.CommandLine.Command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Says which version of the command line this is; asks no server.
@Command(
        name = "version",
        description = "Print the version of gpu-cli.",
        footer = {"", "Example:", "  gpu-cli version"})
public final class Version implements Action {
    @Override
    public int run(Session session) {
        session.printer().line("gpu-cli " + number());
        return 0;
    }

    /// The version that the build wrote into our jar.
    public static String number() {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            return in == null
                    ? "unknown"
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
