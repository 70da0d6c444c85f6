package io.gpusched.cli;

import io.gpusched.cli.command.Misuse;
import io.gpusched.cli.command.Session;
import io.gpusched.cli.command.Tenancy;
import io.gpusched.cli.command.Version;
import io.gpusched.cli.print.Format;
import io.gpusched.cli.print.Paint;
import io.gpusched.cli.print.Printer;
import io.gpusched.cli.rest.Access;
import io.gpusched.cli.rest.Rest;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The options that every command has, before or after its name. Each of them falls back to an
/// environment variable, and then to a default.
@Command(
        name = "gpu-cli",
        description = "Submit, watch and manage jobs of a gpu-scheduler.",
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        versionProvider = Globals.Versions.class,
        footer = {
            "",
            "Exit codes: 0 done, 1 refused or failed, 2 wrong usage.",
            "Help for one command: gpu-cli COMMAND --help"
        })
final class Globals {
    private static final String DEFAULT_URL = "http://localhost:8080";

    @Option(
            names = "--api-url",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "Address of the scheduler (GPU_SCHEDULER_API_URL; " + DEFAULT_URL + ").")
    @Nullable String apiUrl;

    @Option(
            names = "--tenant-id",
            scope = ScopeType.INHERIT,
            paramLabel = "ID",
            description = "Tenant to act for (GPU_SCHEDULER_TENANT_ID; default).")
    @Nullable String tenantId;

    @Option(
            names = "--token",
            scope = ScopeType.INHERIT,
            paramLabel = "TOKEN",
            description = "Token to be let in with (GPU_SCHEDULER_TOKEN).")
    @Nullable String token;

    @Option(
            names = "--token-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "File that holds the token.")
    @Nullable Path tokenFile;

    @Option(
            names = "--cacert",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "PEM certificates to trust for an https address.")
    @Nullable Path cacert;

    @Option(
            names = {"-o", "--output"},
            scope = ScopeType.INHERIT,
            paramLabel = "FORMAT",
            description = "table, wide, json, yaml or name.")
    Format output = Format.TABLE;

    @Option(
            names = "--no-headers",
            scope = ScopeType.INHERIT,
            description = "Tables without titles and totals.")
    boolean noHeaders;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print the version.")
    boolean version;

    /// Everything a command needs, out of what was typed and what lies around.
    Session session(Surroundings world) {
        Access access = access(world);
        if (access.leaksToken()) {
            world.err().println("warning: the token travels unencrypted; use an https address");
        }
        boolean colour = world.terminal() && world.variable("NO_COLOR").isEmpty();
        var printer =
                new Printer(
                        world.out(),
                        world.err(),
                        output,
                        !noHeaders,
                        colour ? Paint.COLOUR : Paint.NONE);
        var tenancy =
                new Tenancy(
                        given(tenantId, world.variable("GPU_SCHEDULER_TENANT_ID")),
                        !access.token().isEmpty());
        return new Session(new Rest(access), printer, world.pace(), tenancy, world.in());
    }

    private Access access(Surroundings world) {
        String fromEnvironment = world.variable("GPU_SCHEDULER_API_URL");
        try {
            return new Access(
                    given(apiUrl, fromEnvironment.isEmpty() ? DEFAULT_URL : fromEnvironment),
                    token(world),
                    cacert);
        } catch (IllegalArgumentException wrong) {
            throw new Misuse(String.valueOf(wrong.getMessage()));
        }
    }

    private String token(Surroundings world) {
        if (token != null || tokenFile == null) {
            return given(token, world.variable("GPU_SCHEDULER_TOKEN").strip());
        }
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw new Misuse("--token-file " + tokenFile + ": cannot be read (" + e + ")");
        }
    }

    private static String given(@Nullable String typed, String otherwise) {
        return typed == null ? otherwise : typed;
    }

    /// Reads the version only when somebody asks for it.
    static final class Versions implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"gpu-cli " + Version.number()};
        }
    }
}
