package io.gpusched.sim.scenario;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Reads groups of nodes: `{name: n, count: 4, gpus: 8xA100-80GB}` makes n1 to n4.
final class NodeReader {
    private static final Pattern GPUS = Pattern.compile("(\\d{1,2})\\s*[x×]\\s*(.+)");
    private static final int SOME_GIB = 16;
    /// Memory in GiB of GPU models that are sold in one size, or mostly in one.
    private static final Map<String, Integer> GIB =
            new TreeMap<>(
                    Map.of(
                            "A10", 24, "A100", 80, "A30", 24, "H100", 80, "H200", 141, "L4", 24,
                            "L40S", 48, "T4", 16, "V100", 32));

    private NodeReader() {}

    static List<Node> nodes(List<YamlSection> groups) {
        var nodes = new ArrayList<Node>();
        var names = new LinkedHashSet<NodeId>();
        for (YamlSection group : groups) {
            for (Node node : group(group)) {
                if (!names.add(node.id())) {
                    throw group.bad("name", "there is another node " + node.id());
                }
                nodes.add(node);
            }
        }
        return nodes;
    }

    private static List<Node> group(YamlSection group) {
        String name = group.name("name");
        int count = group.count("count", 1, ScenarioFile.MOST_NODES, 1);
        boolean numbered = group.has("count");
        List<Gpu> gpus = gpus(group);
        var host =
                Resources.cores(
                        group.count("cpu_cores", 0, Math.max(8, 8 * gpus.size())),
                        group.whole("memory_mb", 0, Math.max(64, 64L * gpus.size()) * 1024));
        List<Taint> taints = group.sections("taints").stream().map(NodeReader::taint).toList();
        var labels = new Labels(group.pairs("labels"));
        String agent = group.text("agent", "");
        Topology topology = topology(group, gpus, labels);
        group.end();
        var nodes = new ArrayList<Node>();
        for (int i = 1; i <= count; i++) {
            String id = numbered ? name + i : name;
            nodes.add(
                    new Node(
                            new NodeId(id),
                            new AgentId(agent.isEmpty() ? id : agent),
                            id,
                            gpus,
                            topology,
                            host,
                            taints,
                            labels));
        }
        return nodes;
    }

    /// The given value, else that of a label, else empty.
    private static Topology topology(YamlSection group, List<Gpu> gpus, Labels labels) {
        String said = group.text("topology", "");
        if (said.equals("usual")) {
            return KnownTopologies.usual(gpus);
        }
        var asLabel = said.isEmpty() ? labels : Labels.of(KnownTopologies.LABEL, said);
        if (!KnownTopologies.understands(asLabel)) {
            throw group.bad("topology", "expected usual, nvlink or pcie, found " + said);
        }
        return KnownTopologies.labelled(gpus, asLabel);
    }

    private static List<Gpu> gpus(YamlSection group) {
        String text = group.text("gpus", "");
        if (text.isEmpty() || text.equals("0")) {
            return List.of();
        }
        var parts = GPUS.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(1)) > Gpu.MOST_PER_NODE) {
            throw group.bad(
                    "gpus",
                    "expected a number up to "
                            + Gpu.MOST_PER_NODE
                            + " and a model, such as 8xA100-80GB, found "
                            + text);
        }
        GpuModel model = withMemory(GpuModel.parse(parts.group(2)));
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < Integer.parseInt(parts.group(1)); i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), "GPU-" + i));
        }
        return gpus;
    }

    private static GpuModel withMemory(GpuModel model) {
        return model.memoryMiB() > 0
                ? model
                : new GpuModel(model.family(), GIB.getOrDefault(model.family(), SOME_GIB) * 1024);
    }

    private static Taint taint(YamlSection yamlSection) {
        var taint =
                new Taint(
                        yamlSection.text("key"),
                        yamlSection.text("value", ""),
                        yamlSection.text("effect", "NoSchedule"));
        yamlSection.end();
        return taint;
    }
}
