package io.gpusched.wire.request;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Duration;

import io.gpusched.wire.proto.scheduler.CarbonPreference;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;
import io.gpusched.wire.proto.scheduler.UpdateTenantQuotaRequest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Converts gRPC requests to the form of the REST requests, so that one reader checks both.
public final class GrpcRequests {
    private GrpcRequests() {}

    /// The request as bytes that do not depend on the order of its maps: some clients change the
    /// order, and a repeated request must still be recognised.
    public static byte[] inOrder(SubmitJobRequest request) {
        var bytes = new byte[request.getSerializedSize()];
        var out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            request.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to an array of the computed size failed", e);
        }
        return bytes;
    }

    public static JsonTree.Mapping body(SubmitJobRequest from) {
        var to = new LinkedHashMap<String, JsonTree>();
        text(to, "tenant_id", from.getTenantId());
        text(to, "name", from.getName());
        whole(to, "priority", from.hasPriority(), from.getPriority());
        whole(to, "gpu_count", from.hasGpuCount(), from.getGpuCount());
        whole(to, "gpu_memory_mb", from.hasGpuMemoryMb(), from.getGpuMemoryMb());
        text(to, "gpu_locality", from.getGpuLocality());
        text(to, "gpu_min_bandwidth", from.getGpuMinBandwidth());
        text(to, "mig_profile", from.getMigProfile());
        whole(to, "gpu_percent", from.hasGpuPercent(), from.getGpuPercent());
        whole(to, "gpu_milli", from.hasGpuMilli(), from.getGpuMilli());
        whole(to, "cpu_cores", from.hasCpuCores(), from.getCpuCores());
        whole(to, "memory_mb", from.hasMemoryMb(), from.getMemoryMb());
        text(to, "script", from.getScript());
        texts(to, "environment", from.getEnvironmentMap());
        text(to, "image", from.getImage());
        texts(to, "command", from.getCommandList());
        texts(to, "args", from.getArgsList());
        flag(to, "gang_scheduling", from.getGangScheduling());
        if (from.hasMaxRuntime()) {
            to.put("max_runtime_seconds", seconds(from.getMaxRuntime()));
        }
        flag(to, "checkpoint_enabled", from.getCheckpointEnabled());
        texts(to, "labels", from.getLabelsMap());
        whole(to, "tasks", from.hasTasks(), from.getTasks());
        texts(to, "gpu_model", from.getGpuModelsList());
        texts(to, "node_selector", from.getNodeSelectorMap());
        text(to, "working_dir", from.getWorkingDir());
        whole(to, "grace_seconds", from.hasGraceSeconds(), from.getGraceSeconds());
        flag(to, "held", from.getHeld());
        whole(to, "cpu_milli", from.hasCpuMilli(), from.getCpuMilli());
        text(to, "attachment", from.getAttachment());
        if (from.hasRequeue()) {
            to.put("requeue", new JsonTree.Flag(from.getRequeue()));
        }
        requirements(to, from);
        texts(to, "near", from.getNearList());
        texts(to, "within", from.getWithinList());
        text(to, "deadline", from.getDeadline());
        if (from.hasWork()) {
            to.put("work_seconds", seconds(from.getWork()));
        }
        if (from.hasRestartCost()) {
            to.put("restart_seconds", seconds(from.getRestartCost()));
        }
        tolerations(to, from);
        if (from.hasCarbon()) {
            to.put("carbon", carbon(from.getCarbon()));
        }
        return new JsonTree.Mapping(to);
    }

    public static JsonTree.Mapping body(UpdateTenantQuotaRequest from) {
        var to = new LinkedHashMap<String, JsonTree>();
        whole(to, "max_gpus", from.hasMaxGpus(), from.getMaxGpus());
        whole(to, "max_gpu_memory_mb", from.hasMaxGpuMemoryMb(), from.getMaxGpuMemoryMb());
        whole(to, "max_cpu_cores", from.hasMaxCpuCores(), from.getMaxCpuCores());
        whole(to, "max_memory_mb", from.hasMaxMemoryMb(), from.getMaxMemoryMb());
        whole(to, "max_concurrent_jobs", from.hasMaxConcurrentJobs(), from.getMaxConcurrentJobs());
        return new JsonTree.Mapping(to);
    }

    private static JsonTree carbon(CarbonPreference from) {
        var to = new LinkedHashMap<String, JsonTree>();
        if (from.hasShiftHours()) {
            to.put("shift_hours", new JsonTree.Fraction(from.getShiftHours()));
        }
        whole(to, "max_intensity", from.getMaxIntensity() != 0, from.getMaxIntensity());
        texts(to, "preferred_regions", from.getPreferredRegionsList());
        return new JsonTree.Mapping(to);
    }

    private static void tolerations(SequencedMap<String, JsonTree> to, SubmitJobRequest from) {
        var all = new ArrayList<JsonTree>();
        for (var each : from.getTolerationsList()) {
            var one = new LinkedHashMap<String, JsonTree>();
            text(one, "key", each.getKey());
            text(one, "operator", each.getOperator());
            text(one, "value", each.getValue());
            text(one, "effect", each.getEffect());
            all.add(new JsonTree.Mapping(one));
        }
        if (!all.isEmpty()) {
            to.put("tolerations", new JsonTree.Items(all));
        }
    }

    private static void requirements(SequencedMap<String, JsonTree> to, SubmitJobRequest from) {
        var any = new ArrayList<JsonTree>();
        for (var alternative : from.getNodeRequirementsList()) {
            var all = new ArrayList<JsonTree>();
            for (var each : alternative.getAllList()) {
                var one = new LinkedHashMap<String, JsonTree>();
                text(one, "key", each.getKey());
                text(one, "op", each.getOp());
                texts(one, "values", each.getValuesList());
                all.add(new JsonTree.Mapping(one));
            }
            any.add(new JsonTree.Items(all));
        }
        if (!any.isEmpty()) {
            to.put("node_requirements", new JsonTree.Items(any));
        }
    }

    /// Rounds up to a whole second, so that a short limit does not become none.
    private static JsonTree seconds(Duration duration) {
        return new JsonTree.Whole(duration.getSeconds() + (duration.getNanos() > 0 ? 1 : 0));
    }

    private static void text(SequencedMap<String, JsonTree> to, String key, String value) {
        if (!value.isEmpty()) {
            to.put(key, new JsonTree.Text(value));
        }
    }

    private static void whole(
            SequencedMap<String, JsonTree> to, String key, boolean present, long value) {
        if (present) {
            to.put(key, new JsonTree.Whole(value));
        }
    }

    private static void flag(SequencedMap<String, JsonTree> to, String key, boolean value) {
        if (value) {
            to.put(key, new JsonTree.Flag(true));
        }
    }

    private static void texts(SequencedMap<String, JsonTree> to, String key, List<String> values) {
        if (!values.isEmpty()) {
            var items = new ArrayList<JsonTree>(values.size());
            values.forEach(value -> items.add(new JsonTree.Text(value)));
            to.put(key, new JsonTree.Items(items));
        }
    }

    private static void texts(
            SequencedMap<String, JsonTree> to, String key, Map<String, String> values) {
        if (!values.isEmpty()) {
            var entries = new LinkedHashMap<String, JsonTree>();
            values.forEach((name, value) -> entries.put(name, new JsonTree.Text(value)));
            to.put(key, new JsonTree.Mapping(entries));
        }
    }
}
