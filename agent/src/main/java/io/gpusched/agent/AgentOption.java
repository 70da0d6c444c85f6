package io.gpusched.agent;

import io.gpusched.core.model.SpellingSuggestion;

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

/// The options of the agent. Each can be given in three ways: the flag `--data-dir X` wins over the
/// environment variable `GPU_AGENT_DATA_DIR`, which wins over `data_dir: X` in the file of
/// `--config`.
enum AgentOption {
    SERVER("HOST:PORT", "localhost:9090", "gRPC address of the scheduler"),
    NODE_ID("NAME", "", "name of this node in the cluster (default: the host name)"),
    JOIN_TOKEN(
            "TOKEN", "", "join token; use a file or the environment to hide it from process lists"),
    JOIN_TOKEN_FILE(
            "FILE", "", "file with the join token; the agent reads it again for every session"),
    DATA_DIR("DIR", "", "data directory: records and output of tasks (default: data/agent-NAME)"),
    WORK_DIR("DIR", "", "parent of the tasks' working directories (default: DATA_DIR/work)"),
    FAKE_GPUS("LIST", "", "report fake GPUs, for example 8xA100-80GB or 4xA100-80GB,4xT4"),
    TOPOLOGY("FILE", "", "file with the output of nvidia-smi topo -m: how GPUs are connected"),
    LABELS("LIST", "", "labels of the node, for example zone=b,disk=nvme"),
    NOTICES(
            "SOURCE",
            "",
            "where the provider announces that it takes this machine away: aws, google, azure or"
                    + " file:PATH (default: nowhere)"),
    TAINTS("LIST", "", "taints of the node, for example dedicated=training:NoSchedule"),
    CPUS("COUNT", "", "CPU cores to offer (default: all)"),
    MEMORY_MB("COUNT", "", "memory to offer, in MiB (default: all)"),
    ADDRESS("HOST", "", "address at which other nodes reach this one (default: detected)"),
    TLS_CA("FILE", "", "use TLS and trust this PEM CA certificate (default: the system's CAs)"),
    PLAINTEXT(
            "yes|no", "", "connect without TLS (default: yes for a local server without --tls-ca)"),
    LEASE_MINUTES(
            "COUNT", "", "stop tasks this long after the last contact (default: set by scheduler)"),
    MODEL_CACHE("DIR", "", "directory in which the scheduler keeps models (default: no cache)"),
    MODEL_CACHE_GB("COUNT", "", "size of the model cache, in GB (default: no limit)"),
    LOG_MB("COUNT", "64", "output kept per task, in MiB"),
    LOG_HOURS("COUNT", "168", "how long to keep output and files of ended tasks, in hours"),
    LOG_TASKS("COUNT", "5000", "number of ended tasks whose output and files are kept"),
    LOG_TOTAL_MB("COUNT", "10240", "disk space for output and files of all ended tasks, in MiB");

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
            String defaultValue =
                    agentOption.fallback.isEmpty() ? "" : " [" + agentOption.fallback + "]";
            text.append(
                    "  %-28s %s%s%n"
                            .formatted(
                                    agentOption.flag() + " " + agentOption.value,
                                    agentOption.help,
                                    defaultValue));
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

    /// The value of every option, from flags, environment, file and defaults.
    ///
    /// @throws IllegalArgumentException with a message for the user
    static Map<AgentOption, String> read(List<String> arguments, Map<String, String> environment)
            throws IOException {
        Map<AgentOption, String> flags = new EnumMap<>(AgentOption.class);
        Map<AgentOption, String> file = new EnumMap<>(AgentOption.class);
        Deque<String> rest = new ArrayDeque<>(arguments);
        while (!rest.isEmpty()) {
            String[] argument = rest.remove().split("=", 2);
            boolean config = argument[0].equals("--config");
            // Looked up before its value: an unknown option is the error to report.
            @Nullable AgentOption agentOption = config ? null : byFlag(argument[0]);
            String value = argument.length == 2 ? argument[1] : rest.poll();
            if (value == null) {
                throw new IllegalArgumentException("expected a value after " + argument[0]);
            }
            if (agentOption == null) {
                file.putAll(readFile(Path.of(value)));
            } else {
                flags.put(agentOption, value);
            }
        }
        Map<AgentOption, String> all = new EnumMap<>(AgentOption.class);
        for (AgentOption agentOption : values()) {
            String fromFile = file.getOrDefault(agentOption, agentOption.fallback);
            String value =
                    environment.getOrDefault(ENVIRONMENT_PREFIX + agentOption.name(), fromFile);
            all.put(agentOption, flags.getOrDefault(agentOption, value).strip());
        }
        return all;
    }

    private static AgentOption byFlag(String flag) {
        return named(flag.startsWith("--") ? flag.substring(2) : "", flag);
    }

    private static Map<AgentOption, String> readFile(Path path) throws IOException {
        Map<AgentOption, String> found = new EnumMap<>(AgentOption.class);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException(
                    "--config: expected a readable file, found none at " + path);
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

    private static AgentOption named(String key, String asWritten) {
        String normal = key.replace('-', '_').toLowerCase(Locale.ROOT);
        for (AgentOption agentOption : values()) {
            if (agentOption.key().equals(normal)) {
                return agentOption;
            }
        }
        List<String> flags = Arrays.stream(values()).map(AgentOption::flag).toList();
        String near = SpellingSuggestion.option("--" + normal.replace('_', '-'), flags);
        throw new IllegalArgumentException(
                "unknown option "
                        + asWritten
                        + (near == null ? "" : "; did you mean " + near + "?")
                        + " (--help lists all)");
    }

    private static String unquoted(String text) {
        boolean quoted =
                text.length() >= 2
                        && (text.startsWith("\"") && text.endsWith("\"")
                                || text.startsWith("'") && text.endsWith("'"));
        return quoted ? text.substring(1, text.length() - 1) : text;
    }
}
