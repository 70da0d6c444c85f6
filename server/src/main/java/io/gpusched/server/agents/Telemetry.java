package io.gpusched.server.agents;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.wire.proto.agent.GpuReading;
import io.gpusched.wire.proto.agent.NodeReading;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The latest readings of every GPU, for people to look at. The cell hears only of what matters to
/// decisions: a GPU that grew hot or cool, broke or recovered, and how it is at first.
public final class Telemetry {
    private static final double COLDEST = -100;
    private static final double HOTTEST = 1000;
    private static final double MOST_WATTS = 100_000;
    private static final double MOST_MIB = 1L << 40;
    private static final int LONGEST_FAULT = 256;

    private final HeatQuantizer scale;
    private final ReportInbox inbox;
    private final Map<NodeId, Reading> latest = new HashMap<>();
    private final Map<Device, GpuCondition> conditions = new HashMap<>();
    private final Set<Device> untold = new HashSet<>();
    private volatile Listener listener = (node, reading) -> {};

    /// Hears every reading, on the thread that brings it.
    public interface Listener {
        void heard(NodeId node, Reading reading);
    }

    private record Device(NodeId node, int gpu) {}

    /// What one node last told, and when.
    public record Reading(Instant at, List<GpuSample> gpus) {
        public Reading {
            gpus = List.copyOf(gpus);
        }
    }

    /// One GPU; a figure is null where the device does not tell it.
    public record GpuSample(
            int index,
            @Nullable Double celsius,
            @Nullable Double utilizationPercent,
            @Nullable Long memoryUsedMiB,
            @Nullable Double watts) {}

    Telemetry(HeatQuantizer scale, ReportInbox inbox) {
        this.scale = scale;
        this.inbox = inbox;
    }

    /// From now on `other` hears every reading.
    public void listen(Listener other) {
        listener = other;
    }

    /// The latest reading of the node; null before the first.
    public synchronized @Nullable Reading latest(NodeId node) {
        return latest.get(node);
    }

    /// Continues from what is recorded about a GPU, so that a restart does not forget its heat.
    public synchronized void resume(NodeId node, int gpu, GpuCondition condition) {
        conditions.put(new Device(node, gpu), condition);
    }

    /// Tells the next reading of every GPU of these nodes even if it is as before: what was told
    /// before the cell knew of the nodes, or of these very GPUs, did not count. Heat is remembered
    /// all the same, so that a return does not undo the hysteresis.
    synchronized void tellAgain(Collection<Node> nodes) {
        for (Node node : nodes) {
            node.gpus().forEach(gpu -> untold.add(new Device(node.id(), gpu.index())));
        }
    }

    /// Forgets a node that was removed.
    synchronized void forget(NodeId node) {
        latest.remove(node);
        conditions.keySet().removeIf(device -> device.node.equals(node));
        untold.removeIf(device -> device.node.equals(node));
    }

    /// How many nodes and devices are remembered.
    synchronized int size() {
        return latest.size() + conditions.size() + untold.size();
    }

    /// Takes readings for nodes the caller speaks for; others are ignored.
    void accept(Collection<Node> nodes, List<NodeReading> readings) {
        Map<String, Node> known = new HashMap<>();
        nodes.forEach(node -> known.put(node.id().name(), node));
        List<Report> changes = new ArrayList<>();
        Map<NodeId, Reading> heard = new LinkedHashMap<>();
        synchronized (this) {
            for (NodeReading reading : readings) {
                Node node = known.get(reading.getNodeId());
                if (node != null) {
                    heard.put(node.id(), note(node, reading, changes));
                }
            }
        }
        changes.forEach(change -> inbox.tell(change, () -> {}));
        heard.forEach(listener::heard);
    }

    private Reading note(Node node, NodeReading reading, List<Report> changes) {
        List<GpuSample> samples = new ArrayList<>();
        for (GpuReading gpu : reading.getGpusList()) {
            if (gpu.getIndex() < 0 || gpu.getIndex() >= node.gpus().size()) {
                continue;
            }
            samples.add(sample(gpu));
            Device device = new Device(node.id(), gpu.getIndex());
            GpuCondition before = conditions.get(device);
            GpuCondition after = condition(before, gpu);
            if (untold.remove(device) || !Objects.equals(before, after)) {
                conditions.put(device, after);
                changes.add(new Report.GpuChanged(node.id(), gpu.getIndex(), after));
            }
        }
        var now = new Reading(Instant.now(), samples);
        latest.put(node.id(), now);
        return now;
    }

    private GpuCondition condition(@Nullable GpuCondition before, GpuReading gpu) {
        Heat heat = before == null ? Heat.COOL : before.heat();
        Double celsius = celsius(gpu);
        if (celsius != null) {
            heat = scale.heat(heat, celsius);
        }
        String fault = gpu.getFault();
        return new GpuCondition(
                heat,
                fault.isEmpty(),
                fault.length() <= LONGEST_FAULT ? fault : fault.substring(0, LONGEST_FAULT));
    }

    /// A figure that no device can have counts as unknown.
    private static GpuSample sample(GpuReading gpu) {
        Double memory = within(0, MOST_MIB, gpu.hasMemoryUsedMb(), (double) gpu.getMemoryUsedMb());
        return new GpuSample(
                gpu.getIndex(),
                celsius(gpu),
                within(0, 100, gpu.hasUtilizationPercent(), gpu.getUtilizationPercent()),
                memory == null ? null : gpu.getMemoryUsedMb(),
                within(0, MOST_WATTS, gpu.hasPowerWatts(), gpu.getPowerWatts()));
    }

    private static @Nullable Double celsius(GpuReading gpu) {
        return within(COLDEST, HOTTEST, gpu.hasTemperatureCelsius(), gpu.getTemperatureCelsius());
    }

    private static @Nullable Double within(double least, double most, boolean told, double figure) {
        return told && figure >= least && figure <= most ? figure : null;
    }
}
