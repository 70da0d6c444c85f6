package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.print.OutputFormat;

import java.util.List;

/// The options of every command; they may stand before or after its name. Help names in brackets
/// the environment variable that an option overrides.
public final class GlobalOptions {
    public static final Option<String> API_URL =
            Option.text(
                    "--api-url",
                    "URL",
                    "Address of the scheduler (default: GPU_SCHEDULER_API_URL, then"
                            + " http://localhost:8080).");
    public static final Option<String> TENANT_ID =
            Option.text(
                    "--tenant-id",
                    "ID",
                    "Tenant to act for (default: GPU_SCHEDULER_TENANT_ID, then the token's tenant,"
                            + " then the tenant default).");
    public static final Option<String> TOKEN =
            Option.text(
                    "--token", "TOKEN", "Token for authentication (default: GPU_SCHEDULER_TOKEN).");
    public static final Option<String> TOKEN_FILE =
            Option.text("--token-file", "FILE", "File that contains the token.");
    public static final Option<String> CACERT =
            Option.text(
                    "--cacert",
                    "FILE",
                    "File of PEM certificates to trust (default: GPU_SCHEDULER_CACERT, then the"
                            + " JDK's).");
    public static final Option<OutputFormat> OUTPUT =
            Option.single(
                    "-o --output",
                    "FORMAT",
                    "Output format: table, wide, json, yaml or name (default: table).",
                    OutputFormat.TABLE,
                    OutputFormat::named);
    public static final Option<Boolean> NO_HEADERS =
            Option.flag("--no-headers", "Print tables without headers and totals.");
    public static final Option<Boolean> HELP = Option.flag("-h --help", "Show this help.");
    public static final Option<Boolean> VERSION = Option.flag("-V --version", "Print the version.");

    /// All global options, in the order of the help text.
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
