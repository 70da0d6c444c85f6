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

/// Builds the session of a command. An option wins over an environment variable, and an environment
/// variable wins over the default.
final class CliSetup {
    private static final String DEFAULT_URL = "http://localhost:8080";

    private final CliContext context;
    private final ParsedArguments parsedArguments;

    CliSetup(CliContext context, ParsedArguments parsedArguments) {
        this.context = context;
        this.parsedArguments = parsedArguments;
    }

    CliSession cliSession() {
        ServerAddress serverAddress = serverAddress();
        if (serverAddress.leaksToken()) {
            context.err()
                    .println(
                            "warning: the token travels unencrypted; use an https address in"
                                    + " --api-url");
        }
        var actingTenant =
                new ActingTenant(
                        setting(GlobalOptions.TENANT_ID, "GPU_SCHEDULER_TENANT_ID", ""),
                        !serverAddress.token().isEmpty());
        return new CliSession(
                new Rest(serverAddress),
                printer(),
                context.pollingClock(),
                actingTenant,
                context.in(),
                context.terminal());
    }

    private Printer printer() {
        boolean colour = context.terminal() && context.variable("NO_COLOR").isEmpty();
        return new Printer(
                context.out(),
                context.err(),
                parsedArguments.of(GlobalOptions.OUTPUT),
                !parsedArguments.of(GlobalOptions.NO_HEADERS),
                colour ? Paint.COLOUR : Paint.NONE);
    }

    private ServerAddress serverAddress() {
        try {
            return new ServerAddress(
                    setting(GlobalOptions.API_URL, "GPU_SCHEDULER_API_URL", DEFAULT_URL),
                    token(),
                    trust());
        } catch (IllegalArgumentException invalid) {
            throw new UsageError(String.valueOf(invalid.getMessage()));
        }
    }

    private String token() {
        if (parsedArguments.has(GlobalOptions.TOKEN)
                || !parsedArguments.has(GlobalOptions.TOKEN_FILE)) {
            return setting(GlobalOptions.TOKEN, "GPU_SCHEDULER_TOKEN", "").strip();
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
        String file = setting(GlobalOptions.CACERT, "GPU_SCHEDULER_CACERT", "");
        return file.isEmpty() ? null : Certificates.trustedIn(Path.of(file));
    }

    private String setting(Option<String> option, String variable, String otherwise) {
        String fromEnvironment = context.variable(variable);
        return parsedArguments.or(option, fromEnvironment.isEmpty() ? otherwise : fromEnvironment);
    }
}
