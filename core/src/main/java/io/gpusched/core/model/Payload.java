package io.gpusched.core.model;

import java.util.List;

/// What a job runs. Placement never looks at it; equal payloads are kept once.
public record Payload(
        String script,
        List<String> command,
        List<String> args,
        Labels environment,
        String image,
        String workingDir) {
    public static final Payload NOTHING =
            new Payload("", List.of(), List.of(), Labels.NONE, "", "");

    public Payload {
        command = List.copyOf(command);
        args = List.copyOf(args);
    }
}
