package io.gpusched.sim.metrics;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Records which job held which GPU in the first hours, for the Gantt chart.
final class GanttBars {
    static final double HOURS = 12;
    private static final int MOST_NODES = 16;
    private static final int MOST_BARS = 2_000;

    private final Map<NodeId, Boolean> nodes = new LinkedHashMap<>();
    private final List<RunMeasurements.Bar> bars = new ArrayList<>();

    /// The bars of one run, from one number to before another.
    record BarRange(int first, int end) {}

    /// Adds the bars of a run when it begins, up to the limit. Runs that begin first are kept, not
    /// those that end first: a run that lasts all day must not be missing.
    BarRange begin(JobId job, TenantId tenant, List<GpuHold> stays, double from) {
        int first = bars.size();
        int i = 0;
        while (from < HOURS * 3600 && i < stays.size() && bars.size() < MOST_BARS) {
            GpuHold gpuHold = stays.get(i);
            int gpus = 1;
            while (i + gpus < stays.size()
                    && stays.get(i + gpus).nodeUsage() == gpuHold.nodeUsage()
                    && stays.get(i + gpus).gpu() == gpuHold.gpu() + gpus) {
                gpus++;
            }
            if (isDrawn(gpuHold.nodeUsage().node.id())) {
                bars.add(
                        new RunMeasurements.Bar(
                                gpuHold.nodeUsage().node.id().name(),
                                gpuHold.gpu(),
                                gpus,
                                job.number(),
                                tenant.name(),
                                from,
                                from,
                                false));
            }
            i += gpus;
        }
        return new BarRange(first, bars.size());
    }

    /// A run is over.
    void end(BarRange drawn, double to, boolean interrupted) {
        for (int i = drawn.first; i < drawn.end; i++) {
            bars.set(i, bars.get(i).until(to, interrupted));
        }
    }

    private boolean isDrawn(NodeId node) {
        if (nodes.size() < MOST_NODES) {
            nodes.put(node, true);
        }
        return nodes.containsKey(node);
    }

    List<RunMeasurements.Bar> all() {
        return bars;
    }
}
