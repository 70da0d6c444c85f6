package io.gpusched.server.agents;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.wire.proto.agent.GpuReading;
import io.gpusched.wire.proto.agent.NodeReading;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
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
import java.util.concurrent.atomic.AtomicLong;

/// The latest readings of every GPU, for the API and metrics. The cell receives only the changes
/// that matter to decisions: a GPU became hot or cool, broke or recovered; and its first condition.
public final class Telemetry {
    private static final double COLDEST = -100;
    private static final double HOTTEST = 1000;
    private static final double MOST_WATTS = 100_000;
    private static final double MOST_MIB = 1L << 40;
    private static final int LONGEST_FAULT = 256;
    private static final Duration LONGEST_NOTICE = Duration.ofDays(1);

    private final HeatQuantizer scale;
    private final ReportInbox inbox;
    private final Map<NodeId, Reading> latest = new HashMap<>();
    private final Map<Device, GpuCondition> conditions = new HashMap<>();
    private final Set<Device> unreported = new HashSet<>();
    private final AtomicLong version = new AtomicLong();
    private volatile Listener listener = (node, reading) -> {};

    /// Receives every reading, on the thread that received it.
    public interface Listener {
        void received(NodeId node, Reading reading);
    }

    private record Device(NodeId node, int gpu) {}

    /// The readings that a node last sent, and when.
    public record Reading(Instant at, List<GpuSample> gpus) {
        public Reading {
            gpus = List.copyOf(gpus);
        }
    }

    /// The reading of one GPU; a figure is null if the device does not report it.
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

    /// Sends every reading to `other` from now on.
    public void listen(Listener other) {
        listener = other;
    }

    /// The latest reading of the node; null before the first.
    public synchronized @Nullable Reading latest(NodeId node) {
        return latest.get(node);
    }

    /// A number that grows with every reading that arrives or is forgotten.
    public long version() {
        return version.get();
    }

    /// Continues from the recorded condition of a GPU, so that a restart does not forget its heat.
    public synchronized void resume(NodeId node, int gpu, GpuCondition condition) {
        conditions.put(new Device(node, gpu), condition);
    }

    /// Reports the next reading of every GPU of these nodes to the cell even if it has not changed:
    /// the cell ignored reports from before it knew the nodes or their GPUs. Heat is kept, so that
    /// the hysteresis goes on.
    synchronized void reportAgain(Collection<Node> nodes) {
        for (Node node : nodes) {
            node.gpus().forEach(gpu -> unreported.add(new Device(node.id(), gpu.index())));
        }
    }

    /// Forgets a node that was removed.
    synchronized void forget(NodeId node) {
        latest.remove(node);
        version.incrementAndGet();
        conditions.keySet().removeIf(device -> device.node.equals(node));
        unreported.removeIf(device -> device.node.equals(node));
    }

    /// How many nodes and devices are kept in memory.
    synchronized int size() {
        return latest.size() + conditions.size() + unreported.size();
    }

    /// Accepts readings of the agent's own nodes and ignores others.
    void accept(Collection<Node> nodes, List<NodeReading> readings) {
        Map<String, Node> known = new HashMap<>();
        nodes.forEach(node -> known.put(node.id().name(), node));
        List<Report> changes = new ArrayList<>();
        Map<NodeId, Reading> accepted = new LinkedHashMap<>();
        synchronized (this) {
            for (NodeReading reading : readings) {
                Node node = known.get(reading.getNodeId());
                if (node != null) {
                    accepted.put(node.id(), note(node, reading, changes));
                    if (reading.hasTakenAwayInMillis()) {
                        changes.add(notice(node.id(), reading.getTakenAwayInMillis()));
                    }
                }
            }
        }
        changes.forEach(change -> inbox.tell(change, () -> {}));
        accepted.forEach(listener::received);
    }

    /// The cell ignores the notice of a node that is being drained, so it may be repeated.
    private static Report notice(NodeId node, long millis) {
        Duration left = Duration.ofMillis(Math.clamp(millis, 0, LONGEST_NOTICE.toMillis()));
        return new Report.InterruptionNotice(node, left);
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
            if (unreported.remove(device) || !Objects.equals(before, after)) {
                conditions.put(device, after);
                changes.add(new Report.GpuChanged(node.id(), gpu.getIndex(), after));
            }
        }
        var now = new Reading(Instant.now(), samples);
        latest.put(node.id(), now);
        version.incrementAndGet();
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

    /// A figure that is out of range for any device counts as unknown.
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
