package io.gpusched.wire.request;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;

import java.util.List;
import java.util.regex.Pattern;

/// Reads what a job runs: script or command, environment, image and working directory.
final class PayloadReader {
    /// The same rule as in the agent, which writes variables into a shell script.
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    /// Larger payloads are rarely equal and are not interned.
    private static final int SMALL = 2_048;

    private final RequestFields requestFields;
    private final boolean containers;
    private final List<String> warnings;

    PayloadReader(RequestFields requestFields, boolean containers, List<String> warnings) {
        this.requestFields = requestFields;
        this.containers = containers;
        this.warnings = warnings;
    }

    Payload payload() {
        String script = requestFields.text("script", "", RequestBounds.SCRIPT);
        List<String> command =
                requestFields.texts("command", RequestBounds.ARGUMENTS, RequestBounds.ARGUMENT);
        List<String> args =
                requestFields.texts("args", RequestBounds.ARGUMENTS, RequestBounds.ARGUMENT);
        Labels environment =
                requestFields.labels(
                        "environment",
                        RequestBounds.VARIABLES,
                        RequestBounds.KEY,
                        RequestBounds.ARGUMENT);
        String image = requestFields.text("image", "", RequestBounds.VALUE);
        String attachment = requestFields.text("attachment", "", RequestBounds.SCRIPT);
        String workingDir = requestFields.text("working_dir", "", RequestBounds.PATH);
        checkVariables(environment);
        if (!command.isEmpty() && command.getFirst().isEmpty()) {
            requestFields.problem(
                    "command", "the first item of command is empty", "name the program");
        }
        warn(script, command, args, image);
        return new Payload(script, command, args, environment, image, workingDir, attachment);
    }

    private void checkVariables(Labels environment) {
        for (String name : environment.entries().keySet()) {
            if (!VARIABLE.matcher(name).matches()) {
                requestFields.problem(
                        "environment",
                        "\"" + name + "\" is not a valid name of an environment variable",
                        "use letters, digits and _ . - and do not begin with a digit");
            }
        }
    }

    private void warn(String script, List<String> command, List<String> args, String image) {
        if (!command.isEmpty() && !script.isEmpty()) {
            warnings.add("command is run and script is ignored, because both are given");
        }
        if (command.isEmpty() && !args.isEmpty()) {
            warnings.add("args are ignored, because there is no command");
        }
        if (!image.isEmpty() && !containers) {
            warnings.add(
                    "image is kept but not used: no container runtime is configured, the job runs"
                            + " as a process");
        }
    }

    static boolean small(Payload payload) {
        int size = payload.script().length() + payload.image().length();
        size += payload.attachment().length();
        for (String word : payload.command()) {
            size += word.length();
        }
        for (String word : payload.args()) {
            size += word.length();
        }
        for (String value : payload.environment().entries().values()) {
            size += value.length();
        }
        return size <= SMALL;
    }
}
