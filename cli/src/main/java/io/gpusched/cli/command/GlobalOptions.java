package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.print.OutputFormat;

import java.util.List;

/// The options that every command has, before or after its name. Most of them fall back to an
/// environment variable, named in brackets.
public final class GlobalOptions {
    public static final Option<String> API_URL =
            Option.text(
                    "--api-url",
                    "URL",
                    "Address of the scheduler (GPU_SCHEDULER_API_URL; http://localhost:8080).");
    public static final Option<String> TENANT_ID =
            Option.text(
                    "--tenant-id", "ID", "Tenant to act for (GPU_SCHEDULER_TENANT_ID; default).");
    public static final Option<String> TOKEN =
            Option.text("--token", "TOKEN", "Token to be let in with (GPU_SCHEDULER_TOKEN).");
    public static final Option<String> TOKEN_FILE =
            Option.text("--token-file", "FILE", "File that holds the token.");
    public static final Option<String> CACERT =
            Option.text("--cacert", "FILE", "PEM certificates to trust (GPU_SCHEDULER_CACERT).");
    public static final Option<OutputFormat> OUTPUT =
            Option.single(
                    "-o --output",
                    "FORMAT",
                    "table, wide, json, yaml or name.",
                    OutputFormat.TABLE,
                    OutputFormat::named);
    public static final Option<Boolean> NO_HEADERS =
            Option.flag("--no-headers", "Tables without titles and totals.");
    public static final Option<Boolean> HELP = Option.flag("-h --help", "Show this help.");
    public static final Option<Boolean> VERSION = Option.flag("-V --version", "Print the version.");

    /// All of them, as help shows them.
    public static final List<Option<?>> ALL =
            List.of(
                    API_URL,
                    TENANT_ID,
                    TOKEN,
                    TOKEN_FILE,
                    CACERT,
                    OUTPUT,
                    NO_HEADERS,
                    HELP,
                    VERSION);

    private GlobalOptions() {}
}
