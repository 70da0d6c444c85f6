package io.gpusched.cli;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.command.ActingTenant;
import io.gpusched.cli.command.CliSession;
import io.gpusched.cli.command.FileErrors;
import io.gpusched.cli.command.GlobalOptions;
import io.gpusched.cli.print.Paint;
import io.gpusched.cli.print.Printer;
import io.gpusched.cli.rest.Certificates;
import io.gpusched.cli.rest.Rest;
import io.gpusched.cli.rest.ServerAddress;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;

/// Makes the session of a command out of what was typed and what lies around: an option wins over
/// an environment variable, and that over the default.
final class CliSetup {
    private static final String DEFAULT_URL = "http://localhost:8080";

    private final CliContext world;
    private final ParsedArguments parsedArguments;

    CliSetup(CliContext world, ParsedArguments parsedArguments) {
        this.world = world;
        this.parsedArguments = parsedArguments;
    }

    CliSession cliSession() {
        ServerAddress serverAddress = serverAddress();
        if (serverAddress.leaksToken()) {
            world.err().println("warning: the token travels unencrypted; use an https address");
        }
        var actingTenant =
                new ActingTenant(
                        said(GlobalOptions.TENANT_ID, "GPU_SCHEDULER_TENANT_ID", ""),
                        !serverAddress.token().isEmpty());
        return new CliSession(
                new Rest(serverAddress),
                printer(),
                world.pollingClock(),
                actingTenant,
                world.in(),
                world.terminal());
    }

    private Printer printer() {
        boolean colour = world.terminal() && world.variable("NO_COLOR").isEmpty();
        return new Printer(
                world.out(),
                world.err(),
                parsedArguments.of(GlobalOptions.OUTPUT),
                !parsedArguments.of(GlobalOptions.NO_HEADERS),
                colour ? Paint.COLOUR : Paint.NONE);
    }

    private ServerAddress serverAddress() {
        try {
            return new ServerAddress(
                    said(GlobalOptions.API_URL, "GPU_SCHEDULER_API_URL", DEFAULT_URL),
                    token(),
                    trust());
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(String.valueOf(wrong.getMessage()));
        }
    }

    private String token() {
        if (parsedArguments.has(GlobalOptions.TOKEN)
                || !parsedArguments.has(GlobalOptions.TOKEN_FILE)) {
            return said(GlobalOptions.TOKEN, "GPU_SCHEDULER_TOKEN", "").strip();
        }
        String file = parsedArguments.of(GlobalOptions.TOKEN_FILE);
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new UsageError(
                    "option --token-file: cannot read " + file + " (" + FileErrors.of(e) + ")");
        }
    }

    private @Nullable SSLContext trust() {
        String file = said(GlobalOptions.CACERT, "GPU_SCHEDULER_CACERT", "");
        return file.isEmpty() ? null : Certificates.trustedIn(Path.of(file));
    }

    private String said(Option<String> option, String variable, String otherwise) {
        String fromEnvironment = world.variable(variable);
        return parsedArguments.or(option, fromEnvironment.isEmpty() ? otherwise : fromEnvironment);
    }
}
