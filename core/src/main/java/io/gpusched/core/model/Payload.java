package io.gpusched.core.model;

import java.util.List;

/// What a job executes: image, command, environment. Placement never depends on it; equal payloads
/// are stored once.
///
/// @param attachment what the agent needs beyond all this, in its own words; the scheduler passes
///        it on and never reads it
public record Payload(
        String script,
        List<String> command,
        List<String> args,
        Labels environment,
        String image,
        String workingDir,
        String attachment) {
    public static final Payload NOTHING =
            new Payload("", List.of(), List.of(), Labels.NONE, "", "");

    /// A payload without an attachment.
    public Payload(
            String script,
            List<String> command,
            List<String> args,
            Labels environment,
            String image,
            String workingDir) {
        this(script, command, args, environment, image, workingDir, "");
    }

    public Payload {
        command = List.copyOf(command);
        args = List.copyOf(args);
    }

    /// How large it is, in characters.
    public long size() {
        long sum = (long) script.length() + image.length() + workingDir.length();
        sum += attachment.length();
        for (String word : command) {
            sum += word.length();
        }
        for (String word : args) {
            sum += word.length();
        }
        if (!environment.isEmpty()) {
            for (var variable : environment.entries().entrySet()) {
                sum += variable.getKey().length() + variable.getValue().length();
            }
        }
        return sum;
    }
}
