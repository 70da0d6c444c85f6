package io.gpusched.agent.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What `/proc` says about the processes of this machine.
///
/// A pid alone names nobody: it may have been given to another process since. A pid together with
/// the time the process started does.
final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /// One process, for as long as the machine is up.
    record Identity(long pid, long startTime) {
        /// Whether this very process still lives; one that has ended but not been waited for does
        /// not.
        boolean alive() {
            try {
                String stat =
                        Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
                // The name in parentheses may hold anything; the state follows the last one.
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                return !fields[0].equals("Z")
                        && !fields[0].equals("X")
                        && Long.parseLong(fields[19]) == startTime;
            } catch (IOException e) {
                return false;
            }
        }
    }

    /// All processes whose environment holds `cookie`.
    static List<Long> carrying(String cookie) throws IOException {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : all) {
                if (environment(process).contains(cookie)) {
                    found.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        }
        return found;
    }

    private static String environment(Path process) {
        try {
            return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // Ended meanwhile, or another user's.
        }
    }
}
