package io.gpusched.agent;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a user can say to the agent, each in three ways: `--data-dir X` wins over the environment
/// variable `GPU_AGENT_DATA_DIR`, which wins over `data_dir: X` in the file given by `--config`.
enum AgentOption {
    SERVER("HOST:PORT", "localhost:9090", "gRPC address of the scheduler"),
    NODE_ID("NAME", "", "name of this node in the cluster (default: the host name)"),
    JOIN_TOKEN("TOKEN", "", "join token; a file or the environment keeps it out of process lists"),
    JOIN_TOKEN_FILE("FILE", "", "file with the join token; the agent reads it for every session"),
    DATA_DIR("DIR", "", "the agent's records, the output of tasks (default: data/agent-NAME)"),
    WORK_DIR("DIR", "", "parent of the tasks' working directories (default: DATA_DIR/work)"),
    FAKE_GPUS("LIST", "", "pretend to have GPUs, for example 8xA100-80GB or 4xA100-80GB,4xT4"),
    TOPOLOGY("FILE", "", "how the GPUs are connected: the output of nvidia-smi topo -m"),
    LABELS("LIST", "", "labels of the node: zone=b,disk=nvme"),
    TAINTS("LIST", "", "taints of the node: dedicated=training:NoSchedule"),
    CPUS("COUNT", "", "CPU cores to offer (default: all)"),
    MEMORY_MB("COUNT", "", "memory to offer, in MiB (default: all)"),
    ADDRESS("HOST", "", "address where other nodes reach this one (default: from the routes)"),
    TLS_CA("FILE", "", "use TLS and trust this CA certificate, PEM (default: the system's CAs)"),
    PLAINTEXT("yes|no", "", "connect without TLS (default: yes on this machine without --tls-ca)"),
    LEASE_MINUTES("COUNT", "", "stop tasks this long after the last contact (default: as granted)"),
    LOG_MB("COUNT", "64", "output kept of each task, in MiB"),
    LOG_HOURS("COUNT", "168", "how long to keep what ended tasks left, in hours"),
    LOG_TASKS("COUNT", "5000", "ended tasks of which anything is kept"),
    LOG_TOTAL_MB("COUNT", "10240", "disk space for what all ended tasks left, in MiB");

    private static final String ENVIRONMENT_PREFIX = "GPU_AGENT_";

    private final String value;
    private final String fallback;
    private final String help;

    AgentOption(String value, String fallback, String help) {
        this.value = value;
        this.fallback = fallback;
        this.help = help;
    }

    String flag() {
        return "--" + key().replace('_', '-');
    }

    private String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    static String help() {
        StringBuilder text =
                new StringBuilder(
                        """
                        Runs jobs on this machine for a gpu-scheduler.

                        usage: agent [--config FILE] [OPTION VALUE]...

                        """);
        for (AgentOption agentOption : values()) {
            String usual = agentOption.fallback.isEmpty() ? "" : " [" + agentOption.fallback + "]";
            text.append(
                    "  %-28s %s%s%n"
                            .formatted(
                                    agentOption.flag() + " " + agentOption.value,
                                    agentOption.help,
                                    usual));
        }
        return text.append(
                        """

                        You can also set each option by an environment variable (GPU_AGENT_DATA_DIR)
                        or in the file of --config (data_dir: /var/lib/agent). A flag wins over the
                        environment, and the environment wins over the file. Tasks keep running when
                        the agent stops; an agent started with the same data directory takes them over.
                        """)
                .toString();
    }

    /// Reads everything that was said; what was not said has its default.
    ///
    /// @throws IllegalArgumentException with a message for people
    static Map<AgentOption, String> read(List<String> arguments, Map<String, String> environment)
            throws IOException {
        Map<AgentOption, String> flags = new EnumMap<>(AgentOption.class);
        Map<AgentOption, String> file = new EnumMap<>(AgentOption.class);
        Deque<String> rest = new ArrayDeque<>(arguments);
        while (!rest.isEmpty()) {
            String[] word = rest.remove().split("=", 2);
            boolean config = word[0].equals("--config");
            // Looked up first: of what does not exist no value is wanted.
            @Nullable AgentOption agentOption = config ? null : flagged(word[0]);
            String said = word.length == 2 ? word[1] : rest.poll();
            if (said == null) {
                throw new IllegalArgumentException("expected a value after " + word[0]);
            }
            if (agentOption == null) {
                file.putAll(readFile(Path.of(said)));
            } else {
                flags.put(agentOption, said);
            }
        }
        Map<AgentOption, String> all = new EnumMap<>(AgentOption.class);
        for (AgentOption agentOption : values()) {
            String fromFile = file.getOrDefault(agentOption, agentOption.fallback);
            String said =
                    environment.getOrDefault(ENVIRONMENT_PREFIX + agentOption.name(), fromFile);
            all.put(agentOption, flags.getOrDefault(agentOption, said).strip());
        }
        return all;
    }

    private static AgentOption flagged(String word) {
        return named(word.startsWith("--") ? word.substring(2) : "", word);
    }

    private static Map<AgentOption, String> readFile(Path path) throws IOException {
        Map<AgentOption, String> found = new EnumMap<>(AgentOption.class);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException(
                    "--config: expected a file that can be read, found none at " + path);
        }
        for (String line : Files.readAllLines(path)) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            String[] pair = text.split(":", 2);
            if (pair.length < 2) {
                throw new IllegalArgumentException(
                        path
                                + ": expected lines like 'data_dir: /var/lib/agent', found '"
                                + text
                                + "'");
            }
            found.put(named(pair[0].strip(), path + ": " + pair[0]), unquoted(pair[1].strip()));
        }
        return found;
    }

    private static AgentOption named(String key, String asSaid) {
        String normal = key.replace('-', '_').toLowerCase(Locale.ROOT);
        for (AgentOption agentOption : values()) {
            if (agentOption.key().equals(normal)) {
                return agentOption;
            }
        }
        AgentOption near = nearest(normal);
        throw new IllegalArgumentException(
                "there is no option "
                        + asSaid
                        + (near == null ? "" : "; did you mean " + near.flag() + "?")
                        + " (--help lists all)");
    }

    private static @Nullable AgentOption nearest(String key) {
        return Arrays.stream(values())
                .filter(
                        agentOption ->
                                !key.isEmpty() && agentOption.key().startsWith(key.substring(0, 1)))
                .filter(
                        agentOption ->
                                agentOption.key().contains(key)
                                        || key.contains(agentOption.key())
                                        || Math.abs(agentOption.key().length() - key.length()) <= 1)
                .findFirst()
                .orElse(null);
    }

    private static String unquoted(String text) {
        boolean quoted =
                text.length() >= 2
                        && (text.startsWith("\"") && text.endsWith("\"")
                                || text.startsWith("'") && text.endsWith("'"));
        return quoted ? text.substring(1, text.length() - 1) : text;
    }
}
