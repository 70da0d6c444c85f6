package io.gpusched.wire.agent;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Taint;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Reads the Hello of an agent and its nodes. Values that the cluster state cannot hold are refused
/// with a message that says what was expected.
public final class HelloReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,252}");
    private static final long MOST_MEMORY_MIB = 1L << 40;
    private static final int MOST_CORES = 1 << 20;
    private static final long MOST_START_MILLIS = Duration.ofDays(1).toMillis();
    private static final int MOST_INSTANCE = 500;
    private static final int MOST_LABELS = 256;
    private static final int MOST_TAINTS = 64;
    private static final int LONGEST_TEXT = 1_024;

    private HelloReader() {}

    /// An agent and the nodes that it serves.
    ///
    /// @param nodesFollow whether it names more nodes after its Hello
    public record Introduced(Agent agent, List<Node> nodes, boolean nodesFollow) {
        public Introduced {
            nodes = List.copyOf(nodes);
        }
    }

    /// @throws IllegalArgumentException with a message for the operator of the agent
    public static Introduced read(RegisterAgentRequest request) {
        String name = request.getAgentId().isEmpty() ? request.getNodeId() : request.getAgentId();
        Agent agent =
                new Agent(
                        new AgentId(named("agent", name)),
                        request.getCustody() == Custody.EXTERNAL
                                ? Agent.Custody.EXTERNAL
                                : Agent.Custody.SELF_FENCING,
                        Math.max(0, request.getInFlight()),
                        instance(request.getInstance()),
                        startTimeout(request.getStartTimeoutMillis()));
        SequencedMap<NodeId, Node> nodes = new LinkedHashMap<>();
        for (NodeFacts facts : facts(request)) {
            Node node = node(agent.id(), facts);
            if (nodes.put(node.id(), node) != null) {
                throw invalid("node names that differ", node.id() + " twice");
            }
        }
        if (nodes.isEmpty() && !request.getNodesFollow()) {
            throw invalid("at least one node", "none");
        }
        return new Introduced(agent, List.copyOf(nodes.values()), request.getNodesFollow());
    }

    private static Duration startTimeout(long millis) {
        if (millis < 0 || millis > MOST_START_MILLIS) {
            throw invalid("a start timeout of at most a day", millis + " ms");
        }
        return Duration.ofMillis(millis);
    }

    private static List<NodeFacts> facts(RegisterAgentRequest request) {
        List<NodeFacts> facts = new ArrayList<>(request.getNodesList());
        if (!request.getNodeId().isEmpty()) {
            facts.add(
                    NodeFacts.newBuilder()
                            .setNodeId(request.getNodeId())
                            .setHostname(request.getHostname())
                            .setIpAddress(request.getIpAddress())
                            .setCpuCores(request.getTotalCpuCores())
                            .setMemoryMb(request.getTotalMemoryMb())
                            .addAllGpus(request.getGpusList())
                            .putAllLabels(request.getLabelsMap())
                            .addAllTaints(request.getTaintsList())
                            .build());
        }
        return facts;
    }

    static Node node(AgentId agent, NodeFacts facts) {
        NodeId id = new NodeId(named("node", facts.getNodeId()));
        if (facts.getCpuCores() < 0 || facts.getCpuCores() > MOST_CORES) {
            throw invalid("a sensible number of CPU cores", facts.getCpuCores() + " on " + id);
        }
        long milliCpu =
                facts.getMilliCpu() == 0 ? facts.getCpuCores() * 1000L : facts.getMilliCpu();
        if (milliCpu < 0 || milliCpu > MOST_CORES * 1000L) {
            throw invalid("a sensible number of CPU cores", milliCpu + " thousandths on " + id);
        }
        if (facts.getMemoryMb() < 0 || facts.getMemoryMb() > MOST_MEMORY_MIB) {
            throw invalid("a sensible amount of memory", facts.getMemoryMb() + " MiB on " + id);
        }
        checkLengths(id, facts);
        String address =
                facts.getIpAddress().isEmpty() ? facts.getHostname() : facts.getIpAddress();
        List<Gpu> gpus = gpus(id, facts.getGpusList());
        return new Node(
                id,
                agent,
                address.isEmpty() ? "localhost" : address,
                gpus,
                LinkCodec.read(facts, gpus),
                new Resources(milliCpu, facts.getMemoryMb()),
                facts.getTaintsList().stream()
                        .map(
                                taint ->
                                        new Taint(
                                                taint.getKey(),
                                                taint.getValue(),
                                                taint.getEffect()))
                        .toList(),
                new Labels(new TreeMap<>(facts.getLabelsMap())));
    }

    /// Bounds labels and taints, because they stay in the cluster state and in every snapshot.
    private static void checkLengths(NodeId id, NodeFacts facts) {
        if (facts.getLabelsCount() > MOST_LABELS) {
            throw invalid(
                    "at most " + MOST_LABELS + " labels", facts.getLabelsCount() + " on " + id);
        }
        if (facts.getTaintsCount() > MOST_TAINTS) {
            throw invalid(
                    "at most " + MOST_TAINTS + " taints", facts.getTaintsCount() + " on " + id);
        }
        facts.getLabelsMap().forEach((key, value) -> checkLengths(id, List.of(key, value)));
        for (var taint : facts.getTaintsList()) {
            checkLengths(id, List.of(taint.getKey(), taint.getValue(), taint.getEffect()));
        }
        for (GpuFacts gpu : facts.getGpusList()) {
            checkLengths(id, List.of(gpu.getUuid(), gpu.getModel()));
        }
        checkLengths(id, List.of(facts.getHostname(), facts.getIpAddress()));
    }

    private static void checkLengths(NodeId id, List<String> texts) {
        for (String text : texts) {
            if (text.length() > LONGEST_TEXT) {
                throw invalid(
                        "texts of at most " + LONGEST_TEXT + " characters",
                        text.length() + " in the description of " + id);
            }
        }
    }

    private static List<Gpu> gpus(NodeId node, List<GpuFacts> all) {
        if (all.size() > Gpu.MOST_PER_NODE) {
            throw invalid("at most " + Gpu.MOST_PER_NODE + " GPUs", all.size() + " on " + node);
        }
        List<Gpu> gpus = new ArrayList<>();
        for (GpuFacts facts : all) {
            if (facts.getIndex() != gpus.size()) {
                throw invalid(
                        "GPUs numbered from 0 without gaps",
                        "number " + facts.getIndex() + " in place " + gpus.size() + " of " + node);
            }
            GpuModel model = GpuModel.parse(facts.getModel());
            long memory = facts.getMemoryMb() > 0 ? facts.getMemoryMb() : model.memoryMiB();
            if (memory < 1 || memory > Integer.MAX_VALUE) {
                throw invalid("the memory of each GPU", memory + " MiB on " + node);
            }
            gpus.add(new Gpu(facts.getIndex(), model, (int) memory, facts.getUuid()));
        }
        return gpus;
    }

    private static String instance(String text) {
        if (text.length() > MOST_INSTANCE) {
            throw invalid(
                    "an instance of at most " + MOST_INSTANCE + " characters",
                    text.length() + " of them");
        }
        return text;
    }

    private static String named(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw invalid(
                    "a name for the " + what + " of letters, digits and . _ / -", "'" + name + "'");
        }
        return name;
    }

    private static IllegalArgumentException invalid(String expected, String found) {
        return new IllegalArgumentException("expected " + expected + ", found " + found);
    }
}
