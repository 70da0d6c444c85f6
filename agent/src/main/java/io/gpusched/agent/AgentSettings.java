package io.gpusched.agent;

import io.gpusched.agent.notice.NoticeSource;
import io.gpusched.agent.notice.NoticeWatch;
import io.gpusched.agent.notice.Notices;
import io.gpusched.agent.task.LogLimits;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.wire.agent.LinkCodec;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.Taint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// The agent's settings: all options parsed and checked, with defaults.
///
/// @param tlsAuthority file of the CA certificate to trust; empty for the system's CAs
/// @param longestLease upper bound for the lease, whatever the scheduler grants
record AgentSettings(
        InetSocketAddress server,
        boolean plaintext,
        String tlsAuthority,
        Supplier<String> joinToken,
        Path dataDir,
        Path workDir,
        Duration longestLease,
        LogLimits log,
        CacheSettings models,
        ServedNode node) {
    private static final long GIGABYTE = 1_000_000_000L;

    /// @param directory of the model cache; empty for none
    /// @param bytes its size; 0 for no limit
    record CacheSettings(String directory, long bytes) {}

    private static final Set<String> EFFECTS =
            Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final int USUAL_PORT = 9090;

    /// @throws IllegalArgumentException with a message for the user
    static AgentSettings of(Map<AgentOption, String> options) throws IOException {
        String nodeId = orElse(options, AgentOption.NODE_ID, AgentSettings::hostName);
        InetSocketAddress server = address(text(options, AgentOption.SERVER));
        boolean local = server.getAddress() != null && server.getAddress().isLoopbackAddress();
        boolean wantsTls = !text(options, AgentOption.TLS_CA).isEmpty();
        Path dataDir =
                Path.of(orElse(options, AgentOption.DATA_DIR, () -> "data/agent-" + nodeId))
                        .toAbsolutePath();
        return new AgentSettings(
                server,
                yes(options, AgentOption.PLAINTEXT, local && !wantsTls),
                text(options, AgentOption.TLS_CA),
                token(
                        text(options, AgentOption.JOIN_TOKEN),
                        text(options, AgentOption.JOIN_TOKEN_FILE)),
                dataDir,
                workDir(text(options, AgentOption.WORK_DIR), dataDir),
                Duration.ofMinutes(number(options, AgentOption.LEASE_MINUTES, 60 * 24 * 365)),
                LogLimits.DEFAULT
                        .withBytesPerTask(number(options, AgentOption.LOG_MB, 0) << 20)
                        .withRetention(Duration.ofHours(number(options, AgentOption.LOG_HOURS, 0)))
                        .withTasks(Math.toIntExact(number(options, AgentOption.LOG_TASKS, 0)))
                        .withTotalBytes(number(options, AgentOption.LOG_TOTAL_MB, 0) << 20),
                cache(options),
                node(options, nodeId, server));
    }

    private static CacheSettings cache(Map<AgentOption, String> options) {
        String directory = text(options, AgentOption.MODEL_CACHE);
        String gigabytes = text(options, AgentOption.MODEL_CACHE_GB);
        if (directory.isEmpty() && !gigabytes.isEmpty()) {
            throw new IllegalArgumentException(
                    AgentOption.MODEL_CACHE_GB.flag() + ": expected --model-cache DIR beside it");
        }
        return new CacheSettings(
                directory, number(options, AgentOption.MODEL_CACHE_GB, 0) * GIGABYTE);
    }

    private static ServedNode node(
            Map<AgentOption, String> options, String nodeId, InetSocketAddress server) {
        GpuProbe probe = probe(text(options, AgentOption.FAKE_GPUS));
        NodeFacts.Builder facts =
                NodeFacts.newBuilder()
                        .setNodeId(nodeId)
                        .setHostname(hostName())
                        .setIpAddress(
                                orElse(options, AgentOption.ADDRESS, () -> ownAddress(server)))
                        .setCpuCores(
                                Math.toIntExact(
                                        number(
                                                options,
                                                AgentOption.CPUS,
                                                Runtime.getRuntime().availableProcessors())))
                        .setMemoryMb(number(options, AgentOption.MEMORY_MB, machineMemoryMiB()))
                        .putAllLabels(labels(text(options, AgentOption.LABELS)));
        CacheSettings cache = cache(options);
        if (!cache.directory.isEmpty()) {
            facts.putLabels(ModelSpec.CACHE_LABEL, Long.toString(cache.bytes / GIGABYTE));
        }
        for (String taint : items(text(options, AgentOption.TAINTS))) {
            facts.addTaints(taint(taint));
        }
        facts.addAllGpus(probe.gpus());
        LinkCodec.write(
                TopologySource.of(text(options, AgentOption.TOPOLOGY), facts.build()), facts);
        return new ServedNode(
                facts.build(),
                new FakeGpus(facts.getGpusList()),
                notices(text(options, AgentOption.NOTICES)));
    }

    private static Notices notices(String source) {
        try {
            return source.isEmpty() ? Notices.NONE : new NoticeWatch(NoticeSource.of(source));
        } catch (IllegalArgumentException e) {
            throw invalid(AgentOption.NOTICES, NoticeSource.FORMS, source);
        }
    }

    /// The working directory must not be the data directory or contain it: a job that writes to
    /// `..` must not hit the agent's files.
    private static Path workDir(String given, Path dataDir) {
        if (given.isEmpty()) {
            return dataDir.resolve("work");
        }
        Path work = Path.of(given).toAbsolutePath().normalize();
        if (dataDir.normalize().startsWith(work)) {
            throw invalid(
                    AgentOption.WORK_DIR,
                    "a directory that does not contain the data directory",
                    given);
        }
        return work;
    }

    private static GpuProbe probe(String gpus) {
        try {
            return gpus.isEmpty() ? new FakeGpus(List.of()) : FakeGpus.parse(gpus);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    AgentOption.FAKE_GPUS.flag() + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String item : items(text)) {
            String[] pair = item.split("=", 2);
            if (pair.length < 2 || pair[0].isBlank()) {
                throw invalid(AgentOption.LABELS, "pairs like zone=b,disk=nvme", item);
            }
            labels.put(pair[0].strip(), pair[1].strip());
        }
        return labels;
    }

    private static Taint taint(String item) {
        int colon = item.lastIndexOf(':');
        String effect = item.substring(colon + 1);
        if (colon < 1 || !EFFECTS.contains(effect)) {
            throw invalid(
                    AgentOption.TAINTS,
                    "key=value:EFFECT where EFFECT is NoSchedule, PreferNoSchedule or NoExecute",
                    item);
        }
        String[] pair = item.substring(0, colon).split("=", 2);
        return Taint.newBuilder()
                .setKey(pair[0].strip())
                .setValue(pair.length == 2 ? pair[1].strip() : "")
                .setEffect(effect)
                .build();
    }

    private static List<String> items(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split("\\s*,\\s*"));
    }

    private static Supplier<String> token(String given, String file) {
        if (file.isEmpty()) {
            return () -> given;
        }
        return () -> {
            try {
                return Files.readString(Path.of(file)).strip();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the join token from " + file, e);
            }
        };
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon >= 0 && text.indexOf(']', colon) < 0;
        String host = hasPort ? text.substring(0, colon) : text;
        try {
            int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : USUAL_PORT;
            if (!host.isEmpty() && port > 0 && port < 65536) {
                return new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), port);
            }
        } catch (NumberFormatException e) {
            throw invalid(AgentOption.SERVER, "HOST:PORT", text);
        }
        throw invalid(AgentOption.SERVER, "HOST:PORT", text);
    }

    private static long number(
            Map<AgentOption, String> options, AgentOption agentOption, long fallback) {
        String text = text(options, agentOption);
        if (text.isEmpty()) {
            return fallback;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= Integer.MAX_VALUE) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw invalid(agentOption, "a whole number", text);
        }
        throw invalid(agentOption, "a whole number from 0 to " + Integer.MAX_VALUE, text);
    }

    private static boolean yes(
            Map<AgentOption, String> options, AgentOption agentOption, boolean fallback) {
        return switch (text(options, agentOption)) {
            case "" -> fallback;
            case "yes", "true" -> true;
            case "no", "false" -> false;
            default -> throw invalid(agentOption, "yes or no", text(options, agentOption));
        };
    }

    private static String text(Map<AgentOption, String> options, AgentOption agentOption) {
        return options.getOrDefault(agentOption, "");
    }

    private static String orElse(
            Map<AgentOption, String> options, AgentOption agentOption, Supplier<String> fallback) {
        String text = text(options, agentOption);
        return text.isEmpty() ? fallback.get() : text;
    }

    private static IllegalArgumentException invalid(
            AgentOption agentOption, String expected, String found) {
        return new IllegalArgumentException(
                agentOption.flag() + ": expected " + expected + ", found '" + found + "'");
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /// The local address towards the scheduler; other nodes can reach this node there.
    private static String ownAddress(InetSocketAddress server) {
        if (server.isUnresolved()) {
            return hostName();
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server); // Sends nothing; it only asks the routing table.
            return socket.getLocalAddress().getHostAddress();
        } catch (IOException | UncheckedIOException e) {
            return hostName();
        }
    }

    private static long machineMemoryMiB() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean machine
                ? machine.getTotalMemorySize() >> 20
                : 0;
    }
}
