package io.gpusched.cli.rest;

import java.util.regex.Pattern;

/// Translates the server's hints, which name routes and fields, into commands and options.
public final class CommandHints {
    private static final Pattern EVENTS = Pattern.compile("GET /api/v1/jobs/([^/ ]+)/events");
    private static final Pattern LIST =
            Pattern.compile("GET /api/v1/(tenants|nodes|what-if)(?![/?\\w-])");

    private CommandHints() {}

    /// The same hint for a user of the CLI.
    public static String translate(String advice) {
        String events = EVENTS.matcher(advice).replaceAll("gpu-cli events $1");
        return LIST.matcher(events)
                .replaceAll("gpu-cli $1")
                .replaceAll("GET /api/v1/jobs(?![/?\\w-])", "gpu-cli list")
                .replace("GET the same path without the id", "gpu-cli tokens TENANT")
                .replace("set a policy with PUT /api/v1/policy", "use gpu-cli policy set POLICY")
                .replace("repeat the request with \"force\": true", "give --force")
                .replace("set gang_scheduling to true", "give --gang")
                .replace("with gang_scheduling,", "with --gang,")
                .replace(
                        "send the header Authorization: Bearer TOKEN",
                        "give a token with --token, --token-file or GPU_SCHEDULER_TOKEN");
    }
}
