package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.TaskSpec;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Writes the shell text that turns a waiting shim into a task.
///
///     cd '/data/run7' || exit 126
///     exec env -i 'RANK=0' 'CUDA_VISIBLE_DEVICES=2,3' 'python' 'train.py'
///
/// Every word is quoted, so that no value can become code. `env -i` gives the task exactly the
/// requested environment, and nothing of the shim's or the agent's.
final class StartFile {
    /// The kernel refuses a single argument of 128 KiB or more.
    private static final int LONGEST_ARGUMENT = 100_000;

    private StartFile() {}

    static String text(
            TaskSpec spec, SequencedMap<String, String> environment, Path workingDir, Path script) {
        StringBuilder text = new StringBuilder();
        text.append("cd ").append(quoted(workingDir.toString())).append(" || exit 126\n");
        text.append("exec env -i");
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            text.append(' ').append(quoted(variable.getKey() + "=" + variable.getValue()));
        }
        for (String word : command(spec, script)) {
            text.append(' ').append(quoted(word));
        }
        return text.append('\n').toString();
    }

    /// Whether the script must be read from a file because it is too long for an argument.
    static boolean needsScriptFile(TaskSpec spec) {
        return spec.getCommandCount() + spec.getArgsCount() == 0
                && spec.getScript().getBytes(StandardCharsets.UTF_8).length > LONGEST_ARGUMENT;
    }

    private static List<String> command(TaskSpec spec, Path script) {
        List<String> command = new ArrayList<>(spec.getCommandList());
        command.addAll(spec.getArgsList());
        if (command.isEmpty()) {
            return needsScriptFile(spec)
                    ? List.of("/bin/sh", script.toString())
                    : List.of("/bin/sh", "-c", spec.getScript());
        }
        if (command.getFirst().contains("=")) { // env would take it for a variable.
            command.addAll(0, List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));
        }
        return command;
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
