package io.gpusched.core.model;

import java.util.List;

/// What a job executes: image, command, environment. Placement never depends on it; equal payloads
/// are stored once.
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

    /// How large it is, in characters.
    public long size() {
        long sum = (long) script.length() + image.length() + workingDir.length();
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
