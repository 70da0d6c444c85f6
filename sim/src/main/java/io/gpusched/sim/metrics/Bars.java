package io.gpusched.sim.metrics;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Who held which GPU in the first hours: enough for a picture, and no more.
final class Bars {
    static final double HOURS = 12;
    private static final int MOST_NODES = 16;
    private static final int MOST_BARS = 2_000;

    private final Map<NodeId, Boolean> nodes = new LinkedHashMap<>();
    private final List<Measured.Bar> bars = new ArrayList<>();

    void add(JobId job, TenantId tenant, List<Stay> stays, double from, double to, boolean cut) {
        if (from >= HOURS * 3600) {
            return;
        }
        int i = 0;
        while (i < stays.size() && bars.size() < MOST_BARS) {
            Stay stay = stays.get(i);
            int gpus = 1;
            while (i + gpus < stays.size()
                    && stays.get(i + gpus).place() == stay.place()
                    && stays.get(i + gpus).gpu() == stay.gpu() + gpus) {
                gpus++;
            }
            if (isDrawn(stay.place().node.id())) {
                bars.add(
                        new Measured.Bar(
                                stay.place().node.id().name(),
                                stay.gpu(),
                                gpus,
                                job.number(),
                                tenant.name(),
                                from,
                                to,
                                cut));
            }
            i += gpus;
        }
    }

    private boolean isDrawn(NodeId node) {
        if (nodes.size() < MOST_NODES) {
            nodes.put(node, true);
        }
        return nodes.containsKey(node);
    }

    List<Measured.Bar> all() {
        return bars;
    }
}
