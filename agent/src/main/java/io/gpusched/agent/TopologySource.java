package io.gpusched.agent;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Topology;
import io.gpusched.wire.agent.TopologyText;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.NodeFacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Determines how the GPUs of a node are connected: from a file, else from a label, else from what
/// is usual for the GPU model.
final class TopologySource {
    private TopologySource() {}

    /// @param file empty for none
    /// @throws IllegalArgumentException with a message for the user
    static Topology of(String file, NodeFacts facts) {
        List<Gpu> gpus = new ArrayList<>();
        for (GpuFacts gpu : facts.getGpusList()) {
            var model = GpuModel.parse(gpu.getModel());
            gpus.add(new Gpu(gpus.size(), model, (int) gpu.getMemoryMb(), gpu.getUuid()));
        }
        if (file.isEmpty()) {
            var labels = new Labels(new TreeMap<>(facts.getLabelsMap()));
            // The scheduler knows what the label means.
            return labels.value(KnownTopologies.LABEL).isEmpty()
                    ? KnownTopologies.usual(gpus)
                    : Topology.FLAT;
        }
        Topology topology = read(file);
        if (topology.size() != gpus.size()) {
            throw new IllegalArgumentException(
                    "--topology "
                            + file
                            + " describes "
                            + topology.size()
                            + (topology.size() == 1 ? " GPU" : " GPUs")
                            + ", this node has "
                            + gpus.size()
                            + "; create it on this machine: nvidia-smi topo -m > "
                            + file);
        }
        return topology;
    }

    private static Topology read(String file) {
        try {
            return TopologyText.parse(Files.readString(Path.of(file)));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--topology "
                            + file
                            + " cannot be read: "
                            + (Files.exists(Path.of(file)) ? e.getMessage() : "no such file")
                            + "; create it with nvidia-smi topo -m > FILE",
                    e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--topology " + file + ", " + e.getMessage(), e);
        }
    }

    /// Warnings about the node's labels.
    static List<String> warnings(NodeFacts facts) {
        var labels = new Labels(new TreeMap<>(facts.getLabelsMap()));
        var warnings = new ArrayList<String>();
        if (MigConfig.of(labels).kind() == MigConfig.Kind.UNKNOWN) {
            warnings.add(
                    MigConfig.LABEL
                            + "="
                            + labels.value(MigConfig.LABEL)
                            + " is unknown and counts as all-disabled; use mixed,"
                            + " all-balanced, all-disabled or all-PROFILE such as all-1g.5gb");
        }
        if (!KnownTopologies.understands(labels)) {
            warnings.add(
                    KnownTopologies.LABEL
                            + "="
                            + labels.value(KnownTopologies.LABEL)
                            + " is unknown; use nvlink or pcie, or --topology FILE");
        }
        return warnings;
    }
}
