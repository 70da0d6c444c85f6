package io.gpusched.agent;

import io.gpusched.agent.task.LogLimits;
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

/// What the user said, understood: every value checked, every default filled in.
///
/// @param tlsAuthority the file of the authority to trust, empty for the system's
/// @param longestLease never longer without the scheduler, whatever it grants
record AgentSettings(
        InetSocketAddress server,
        boolean plaintext,
        String tlsAuthority,
        Supplier<String> joinToken,
        Path dataDir,
        Path workDir,
        Duration longestLease,
        LogLimits log,
        ServedNode node) {
    private static final Set<String> EFFECTS =
            Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final int USUAL_PORT = 9090;

    /// @throws IllegalArgumentException with a message for people
    static AgentSettings of(Map<AgentOption, String> said) throws IOException {
        String nodeId = orElse(said, AgentOption.NODE_ID, AgentSettings::hostName);
        InetSocketAddress server = address(text(said, AgentOption.SERVER));
        boolean local = server.getAddress() != null && server.getAddress().isLoopbackAddress();
        boolean wantsTls = !text(said, AgentOption.TLS_CA).isEmpty();
        Path dataDir =
                Path.of(orElse(said, AgentOption.DATA_DIR, () -> "data/agent-" + nodeId))
                        .toAbsolutePath();
        return new AgentSettings(
                server,
                yes(said, AgentOption.PLAINTEXT, local && !wantsTls),
                text(said, AgentOption.TLS_CA),
                token(text(said, AgentOption.JOIN_TOKEN), text(said, AgentOption.JOIN_TOKEN_FILE)),
                dataDir,
                workDir(text(said, AgentOption.WORK_DIR), dataDir),
                Duration.ofMinutes(number(said, AgentOption.LEASE_MINUTES, 60 * 24 * 365)),
                LogLimits.DEFAULT
                        .withBytesPerTask(number(said, AgentOption.LOG_MB, 0) << 20)
                        .withRetention(Duration.ofHours(number(said, AgentOption.LOG_HOURS, 0)))
                        .withTasks(Math.toIntExact(number(said, AgentOption.LOG_TASKS, 0)))
                        .withTotalBytes(number(said, AgentOption.LOG_TOTAL_MB, 0) << 20),
                node(said, nodeId, server));
    }

    private static ServedNode node(
            Map<AgentOption, String> said, String nodeId, InetSocketAddress server) {
        GpuProbe probe = probe(text(said, AgentOption.FAKE_GPUS));
        NodeFacts.Builder facts =
                NodeFacts.newBuilder()
                        .setNodeId(nodeId)
                        .setHostname(hostName())
                        .setIpAddress(orElse(said, AgentOption.ADDRESS, () -> ownAddress(server)))
                        .setCpuCores(
                                Math.toIntExact(
                                        number(
                                                said,
                                                AgentOption.CPUS,
                                                Runtime.getRuntime().availableProcessors())))
                        .setMemoryMb(number(said, AgentOption.MEMORY_MB, machineMemoryMiB()))
                        .putAllLabels(labels(text(said, AgentOption.LABELS)));
        for (String taint : items(text(said, AgentOption.TAINTS))) {
            facts.addTaints(taint(taint));
        }
        facts.addAllGpus(probe.gpus());
        LinkCodec.write(TopologySource.of(text(said, AgentOption.TOPOLOGY), facts.build()), facts);
        return new ServedNode(facts.build(), new FakeGpus(facts.getGpusList()));
    }

    /// Never the data directory, nor one that holds it: a job's `..` must not be the agent's.
    private static Path workDir(String asked, Path dataDir) {
        if (asked.isEmpty()) {
            return dataDir.resolve("work");
        }
        Path work = Path.of(asked).toAbsolutePath().normalize();
        if (dataDir.normalize().startsWith(work)) {
            throw wrong(
                    AgentOption.WORK_DIR,
                    "a directory that does not contain the data directory",
                    asked);
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
                throw wrong(AgentOption.LABELS, "pairs like zone=b,disk=nvme", item);
            }
            labels.put(pair[0].strip(), pair[1].strip());
        }
        return labels;
    }

    private static Taint taint(String item) {
        int colon = item.lastIndexOf(':');
        String effect = item.substring(colon + 1);
        if (colon < 1 || !EFFECTS.contains(effect)) {
            throw wrong(
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
            throw wrong(AgentOption.SERVER, "HOST:PORT", text);
        }
        throw wrong(AgentOption.SERVER, "HOST:PORT", text);
    }

    private static long number(
            Map<AgentOption, String> said, AgentOption agentOption, long fallback) {
        String text = text(said, agentOption);
        if (text.isEmpty()) {
            return fallback;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= Integer.MAX_VALUE) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(agentOption, "a whole number", text);
        }
        throw wrong(agentOption, "a whole number from 0 to " + Integer.MAX_VALUE, text);
    }

    private static boolean yes(
            Map<AgentOption, String> said, AgentOption agentOption, boolean fallback) {
        return switch (text(said, agentOption)) {
            case "" -> fallback;
            case "yes", "true" -> true;
            case "no", "false" -> false;
            default -> throw wrong(agentOption, "yes or no", text(said, agentOption));
        };
    }

    private static String text(Map<AgentOption, String> said, AgentOption agentOption) {
        return said.getOrDefault(agentOption, "");
    }

    private static String orElse(
            Map<AgentOption, String> said, AgentOption agentOption, Supplier<String> fallback) {
        String text = text(said, agentOption);
        return text.isEmpty() ? fallback.get() : text;
    }

    private static IllegalArgumentException wrong(
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

    /// The address this machine uses towards the scheduler, which is where other nodes reach it
    /// too.
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
