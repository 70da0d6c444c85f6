package io.gpusched.agent.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Reads the processes of this machine from `/proc`.
///
/// A pid alone does not identify a process: the kernel reuses pids. A pid together with the start
/// time does.
final class Processes {
    private static final Path PROC = Path.of("/proc");

    // Places in `stat` after the name; proc(5) counts them from 3.
    private static final int STATE = 0;
    private static final int PARENT = 1;
    private static final int SESSION = 3;
    private static final int START_TIME = 19;

    private Processes() {}

    /// One process, unique until the machine restarts.
    record Identity(long pid, long startTime) {
        /// Whether this process is still alive; a zombie is not.
        boolean alive() {
            String[] stat = stat(PROC.resolve(Long.toString(pid)));
            return stat.length > START_TIME
                    && living(stat)
                    && Long.parseLong(stat[START_TIME]) == startTime;
        }
    }

    /// All processes whose environment contains `cookie`.
    static Set<Long> carrying(String cookie) throws IOException {
        return matching(process -> environment(process).contains(cookie));
    }

    /// The shims of the task of `cookie`, their helpers, and the sessions that they lead. Needs no
    /// file of the task.
    static Set<Long> watchingOver(String cookie) throws IOException {
        Set<Long> shims = matching(process -> commandLine(process).contains(cookie));
        Set<Long> sessions =
                matching(
                        process -> {
                            String[] stat = stat(process);
                            return stat.length > SESSION
                                    && stat[SESSION].equals(process.getFileName().toString())
                                    && shims.contains(Long.parseLong(stat[PARENT]));
                        });
        Set<Long> all = new TreeSet<>(shims);
        all.addAll(
                matching(
                        process -> {
                            String[] stat = stat(process);
                            return stat.length > SESSION
                                    && living(stat)
                                    && sessions.contains(Long.parseLong(stat[SESSION]));
                        }));
        return all;
    }

    /// All living processes in the session of `leader`. Empty if the leader is dead, because its
    /// pid may be reused, and for the agent's own session.
    static Set<Long> inSessionOf(Identity leader) throws IOException {
        String[] self = stat(PROC.resolve("self"));
        String session = Long.toString(leader.pid);
        if (!leader.alive() || self.length <= SESSION || self[SESSION].equals(session)) {
            return Set.of();
        }
        return matching(
                process -> {
                    String[] stat = stat(process);
                    return stat.length > SESSION && stat[SESSION].equals(session) && living(stat);
                });
    }

    /// Sends SIGKILL to all of them, but never to the agent itself.
    static void kill(Set<Long> pids) {
        for (long pid : pids) {
            if (pid != ProcessHandle.current().pid()) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static boolean living(String[] stat) {
        return !stat[STATE].equals("Z") && !stat[STATE].equals("X");
    }

    private static Set<Long> matching(Predicate<Path> condition) throws IOException {
        Set<Long> found = new TreeSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : all) {
                if (condition.test(process)) {
                    found.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        }
        return found;
    }

    /// The fields of `stat` after the name, which is in parentheses and may contain anything; empty
    /// if the process is gone.
    private static String[] stat(Path process) {
        String stat = read(process.resolve("stat"));
        int name = stat.lastIndexOf(')');
        return name < 0 ? new String[0] : stat.substring(name + 2).split(" ");
    }

    private static String environment(Path process) {
        return read(process.resolve("environ"));
    }

    private static String commandLine(Path process) {
        return read(process.resolve("cmdline"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // Ended meanwhile, or another user's.
        }
    }
}
