package io.gpusched.operator.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.Taint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/// Describes a node to the scheduler. The number of GPUs and slices comes from what the kubelet
/// offers, for only that can be given to pods; their model and memory come from the labels of GPU
/// Feature Discovery or, where these are missing, from `neuronetes.io/gpu-type` and `gpu-memory`.
///
/// GPUs are placeholders: the device plug-in picks the devices, so the scheduler only counts them.
///
///     nvidia.com/gpu: 2, nvidia.com/mig-1g.5gb: 7  →  three GPUs, mig-config none|none|1g.5gb:7
public final class NodeDescription {
    private static final String PRODUCT = "nvidia.com/gpu.product";
    private static final String PRODUCT_MEMORY = "nvidia.com/gpu.memory";
    private static final String TYPE = "neuronetes.io/gpu-type";
    private static final String TYPE_MEMORY = "neuronetes.io/gpu-memory";
    private static final String ACCELERATOR = "cloud.google.com/gke-accelerator";

    private static final String NODE_TAINT = "node.kubernetes.io/";
    private static final String UNSCHEDULABLE = NODE_TAINT + "unschedulable";
    private static final String NOT_READY = NODE_TAINT + "not-ready";
    private static final String UNREACHABLE = NODE_TAINT + "unreachable";
    private static final String NO_SCHEDULE = "NoSchedule";
    private static final int MOST_TAINTS = 60;

    /// What a device plug-in adds to the product where it divides GPUs by itself.
    private static final Pattern DIVIDED = Pattern.compile("-SHARED$|-MIG-[0-9]+g\\..*$");

    private static final long MIB = 1L << 20;

    private final NodeLabels nodeLabels;

    public NodeDescription(NodeLabels nodeLabels) {
        this.nodeLabels = nodeLabels;
    }

    /// @throws IllegalArgumentException if an amount of the node is no quantity
    public NodeFacts facts(JsonNode node) {
        PodResources offered = PodResources.allocatable(node);
        JsonNode labels = node.path("metadata").path("labels");
        GpuModel model = model(labels);
        int memory = memory(labels, model);
        Map<String, String> told = nodeLabels.of(node);
        NodeFacts.Builder facts =
                NodeFacts.newBuilder()
                        .setNodeId(node.path("metadata").path("name").asText())
                        .setHostname(address(node, "Hostname"))
                        .setIpAddress(address(node, "InternalIP"))
                        .setMilliCpu(offered.milliCpu())
                        .setCpuCores(Math.clamp(offered.milliCpu() / 1000, 0, Integer.MAX_VALUE))
                        .setMemoryMb(offered.of(PodResources.MEMORY) / MIB)
                        .addAllTaints(taints(node));
        int whole = Math.min(offered.gpus(), Gpu.MOST_PER_NODE);
        List<String> cut = layouts(model, memory, offered.slices(), Gpu.MOST_PER_NODE - whole);
        told.remove(MigConfig.LABEL);
        if (!cut.isEmpty()) {
            var parts = new ArrayList<>(Collections.nCopies(whole, "none"));
            parts.addAll(cut);
            told.put(MigConfig.LABEL, String.join("|", parts));
        }
        for (int index = 0; index < whole + cut.size(); index++) {
            facts.addGpus(
                    GpuFacts.newBuilder()
                            .setIndex(index)
                            .setModel(model.toString())
                            .setMemoryMb(memory)
                            .setMigCapable(index >= whole));
        }
        return facts.putAllLabels(told).build();
    }

    /// What is wrong with the node as the scheduler is told it, for people; empty if nothing is.
    public static String problem(JsonNode node) {
        PodResources offered = PodResources.allocatable(node);
        JsonNode labels = node.path("metadata").path("labels");
        GpuModel model = model(labels);
        if (!offered.slices().isEmpty() && card(model, memory(labels, model)) == null) {
            return "the MIG slices of "
                    + node.path("metadata").path("name").asText()
                    + " are not used: its GPU model is unknown; set its label "
                    + PRODUCT;
        }
        return offered.gpus() > Gpu.MOST_PER_NODE
                ? "only %d of the %d GPUs of %s are used"
                        .formatted(
                                Gpu.MOST_PER_NODE,
                                offered.gpus(),
                                node.path("metadata").path("name").asText())
                : "";
    }

    private static List<String> layouts(
            GpuModel model, int memory, SequencedMap<String, Integer> slices, int most) {
        MigGpuModel card = slices.isEmpty() ? null : card(model, memory);
        return card == null ? List.of() : MigPacking.layouts(card, slices, most);
    }

    private static @Nullable MigGpuModel card(GpuModel model, int memory) {
        return MigGpuModel.of(new Gpu(0, model, memory, ""));
    }

    private static GpuModel model(JsonNode labels) {
        for (String key : List.of(PRODUCT, TYPE, ACCELERATOR)) {
            String text = labels.path(key).asText("");
            if (!text.isEmpty()) {
                return GpuModel.parse(DIVIDED.matcher(text).replaceFirst(""));
            }
        }
        return GpuModel.parse("");
    }

    /// In MiB. Feature discovery tells the memory of one whole GPU, or of one slice where all
    /// slices are alike and count as GPUs.
    private static int memory(JsonNode labels, GpuModel model) {
        String discovered = labels.path(PRODUCT_MEMORY).asText("");
        String declared = labels.path(TYPE_MEMORY).asText("");
        try {
            if (!discovered.isEmpty()) {
                return Math.clamp(Quantity.units(discovered), 1, Integer.MAX_VALUE);
            }
            if (!declared.isEmpty()) {
                return Math.clamp(Quantity.units(declared) / MIB, 1, Integer.MAX_VALUE);
            }
        } catch (IllegalArgumentException e) { // A label may be anything; the model says enough.
            return Math.max(1, model.memoryMiB());
        }
        return Math.max(1, model.memoryMiB());
    }

    /// The taints of the node, and those that Kubernetes is about to add: a node is marked first
    /// and tainted a moment later.
    private static List<Taint> taints(JsonNode node) {
        var taints = new ArrayList<Taint>();
        boolean cordoned = false;
        boolean absent = false;
        for (JsonNode taint : node.path("spec").path("taints")) {
            String key = taint.path("key").asText();
            String effect = taint.path("effect").asText();
            boolean keepsAway = effect.equals(NO_SCHEDULE);
            cordoned |= keepsAway && key.equals(UNSCHEDULABLE);
            absent |= keepsAway && (key.equals(NOT_READY) || key.equals(UNREACHABLE));
            if (taints.size() < MOST_TAINTS) {
                taints.add(taint(key, taint.path("value").asText(), effect));
            }
        }
        if (!cordoned && node.path("spec").path("unschedulable").asBoolean()) {
            taints.add(taint(UNSCHEDULABLE, "", NO_SCHEDULE));
        }
        String ready = readiness(node);
        if (!absent && !ready.equals("True")) {
            taints.add(taint(ready.equals("Unknown") ? UNREACHABLE : NOT_READY, "", NO_SCHEDULE));
        }
        return taints;
    }

    private static Taint taint(String key, String value, String effect) {
        return Taint.newBuilder().setKey(key).setValue(value).setEffect(effect).build();
    }

    /// A node whose kubelet has not reported yet is not ready.
    private static String readiness(JsonNode node) {
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText();
            }
        }
        return "False";
    }

    private static String address(JsonNode node, String type) {
        for (JsonNode address : node.path("status").path("addresses")) {
            if (address.path("type").asText().equals(type)) {
                return address.path("address").asText();
            }
        }
        return "";
    }
}
