package io.gpusched.server.http;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.OtherJobs;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/// Writes every GPU of the fleet compactly: names once, and for each node one array per figure with
/// one entry per GPU.
///
///
/// {"tenants":["a"],"models":["H100-80GB"],"nodes":[{"id":"n1",…,"tenant":[0,-1],"job":[7,0],…}]}
final class FleetJson {
    private static final int FREE = -1;
    private static final int HIDDEN = -2;
    private static final int UNKNOWN = -1;
    private static final int BYTES_PER_GPU = 48;

    private final View view;
    private final LatestReadings readings;
    private final TopologyLevels levels;
    private final @Nullable TenantId viewer;
    private final Map<String, Integer> tenants = new LinkedHashMap<>();
    private final Map<String, Integer> models = new LinkedHashMap<>();

    /// @param viewer the tenant whose jobs are named; null for all
    FleetJson(
            View view, LatestReadings readings, TopologyLevels levels, @Nullable TenantId viewer) {
        this.view = view;
        this.readings = readings;
        this.levels = levels;
        this.viewer = viewer;
    }

    JsonOutput write(Instant now) {
        List<NodeRow> nodes = view.nodes().all();
        var rows = new JsonOutput(nodes.size() * 8 * BYTES_PER_GPU + 64).array();
        nodes.forEach(row -> node(row, rows));
        rows.endArray();
        var out = new JsonOutput(rows.size() + (1 << 12)).object();
        out.field("at", now).field("batch", view.batch());
        out.field("tenants", tenants.keySet()).field("models", models.keySet());
        return out.name("nodes").written(rows).endObject();
    }

    private void node(NodeRow row, JsonOutput out) {
        List<Gpu> gpus = row.facts().gpus();
        int count = gpus.size();
        var tenant = new int[count];
        var job = new long[count];
        var part = new int[count];
        for (int gpu = 0; gpu < count; gpu++) {
            tenant[gpu] = FREE;
        }
        for (NodeRow.Held held : row.holders()) {
            take(held, tenant, job, part);
        }
        out.object().field("id", row.facts().id().name()).field("rack", rack(row));
        out.field("state", row.state()).field("model", model(gpus));
        array("tenant", count, gpu -> tenant[gpu], out);
        out.name("job").array();
        for (long number : job) {
            out.value(number);
        }
        out.endArray();
        readings(row.facts().id(), gpus, out);
        array("health", count, gpu -> health(row, gpu), out);
        array("part", count, gpu -> Math.min(100, (part[gpu] + 5) / 10), out);
        String reason = row.status().nodeClosure().why();
        if (!reason.isEmpty()) {
            out.field("closed_reason", readable(reason));
        }
        out.endObject();
    }

    private String readable(String text) {
        return viewer == null
                ? text
                : OtherJobs.hidden(
                        text,
                        viewer,
                        id -> {
                            Job job = view.job(id);
                            return job == null ? null : job.tenant();
                        });
    }

    /// A GPU that several jobs share shows the first of them that the caller may see.
    private void take(NodeRow.Held held, int[] tenant, long[] job, int[] part) {
        Job holder = view.job(held.job());
        TenantId owner = holder == null ? null : holder.tenant();
        int shown =
                owner == null || viewer != null && !viewer.equals(owner)
                        ? HIDDEN
                        : number(tenants, owner.name());
        for (long rest = held.gpus(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (gpu >= tenant.length) {
                return; // The node lost it under the job.
            }
            part[gpu] += held.milli(gpu);
            if (tenant[gpu] < 0) {
                tenant[gpu] = shown;
                job[gpu] = shown == HIDDEN ? 0 : held.job().number();
            }
        }
    }

    private void readings(NodeId node, List<Gpu> gpus, JsonOutput out) {
        List<LatestReadings.Gpu> latest = readings.all(node, gpus.size());
        int count = gpus.size();
        array("util", count, gpu -> rounded(latest.get(gpu).utilization()), out);
        array("temp", count, gpu -> rounded(latest.get(gpu).temperature()), out);
        array("mem", count, gpu -> memory(latest.get(gpu), gpus.get(gpu)), out);
        array("power", count, gpu -> rounded(latest.get(gpu).powerWatts()), out);
    }

    private static int rounded(double figure) {
        return Double.isNaN(figure) ? UNKNOWN : (int) Math.round(figure);
    }

    private static int memory(LatestReadings.Gpu reading, Gpu gpu) {
        return reading.memoryUsedMiB() < 0 || gpu.memoryMiB() <= 0
                ? UNKNOWN
                : (int) Math.min(100, reading.memoryUsedMiB() * 100 / gpu.memoryMiB());
    }

    private static int health(NodeRow row, int gpu) {
        if ((row.unfitGpus() >>> gpu & 1) == 1) {
            return 2;
        }
        return (int) (row.hotGpus() >>> gpu & 1);
    }

    /// The node's domains above the node itself, wide to narrow. Two zones may each have a rack
    /// `r1`, and they are two racks.
    private String rack(NodeRow row) {
        var path = new StringBuilder();
        for (int level = 0; level < levels.size() - 1; level++) {
            String place = levels.place(row.facts(), level);
            if (!place.isEmpty()) {
                path.append(path.isEmpty() ? "" : "/").append(place);
            }
        }
        return path.toString();
    }

    private int model(List<Gpu> gpus) {
        return gpus.isEmpty() ? UNKNOWN : number(models, gpus.getFirst().model().toString());
    }

    private static int number(Map<String, Integer> names, String name) {
        Integer known = names.get(name);
        if (known == null) {
            known = names.size();
            names.put(name, known);
        }
        return known;
    }

    private static void array(String name, int count, IntUnaryOperator value, JsonOutput out) {
        out.name(name).array();
        for (int gpu = 0; gpu < count; gpu++) {
            out.value((long) value.applyAsInt(gpu));
        }
        out.endArray();
    }
}
