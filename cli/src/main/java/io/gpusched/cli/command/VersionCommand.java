package io.gpusched.cli.command;

import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Prints the version of the CLI; contacts no server.
final class VersionCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("version", "Print the version of gpu-cli.")
                .examples("Example:", "  gpu-cli version");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        cliSession.printer().line("gpu-cli " + number());
        return 0;
    }

    /// The version that the build wrote into our jar.
    private static String number() {
        try (InputStream in = VersionCommand.class.getResourceAsStream("version.txt")) {
            return in == null
                    ? "unknown"
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
