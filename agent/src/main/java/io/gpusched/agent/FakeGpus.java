package io.gpusched.agent;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuReading;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// GPUs that do not exist, for machines without GPUs. They are always cool. Their utilisation is
/// not reported, so the scheduler never considers a task on them idle.
///
///     8xA100-80GB            eight of a kind
///     4xA100-80GB,4xT4       mixed; well-known models need no memory
public record FakeGpus(List<GpuFacts> gpus) implements GpuProbe {
    private static final Pattern GROUP = Pattern.compile("([0-9]{1,3})\\s*[xX*]\\s*(\\S.*)");

    /// Memory in GiB of models that are usually named without it.
    private static final Map<String, Integer> USUAL_MEMORY =
            Map.of(
                    "A100", 40, "H100", 80, "H200", 141, "B200", 180, "V100", 16, "T4", 16, "L4",
                    24, "L40S", 48, "A10", 24, "RTX4090", 24);

    public FakeGpus {
        gpus = List.copyOf(gpus);
    }

    /// Parses a list of groups.
    ///
    /// @throws IllegalArgumentException with a message for the user
    public static FakeGpus parse(String text) {
        List<GpuFacts> gpus = new ArrayList<>();
        for (String group : text.split(",")) {
            Matcher matcher = GROUP.matcher(group.strip());
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "expected COUNTxMODEL such as 8xA100-80GB, found '" + group + "'");
            }
            int count = Integer.parseInt(matcher.group(1));
            if (count == 0) {
                throw new IllegalArgumentException(
                        "expected a count of at least 1, such as 8xA100-80GB, found '"
                                + group.strip()
                                + "'; leave it out for a machine without GPUs");
            }
            GpuModel model = withMemory(GpuModel.parse(matcher.group(2)), matcher.group(2));
            for (int i = 0; i < count; i++) {
                gpus.add(
                        GpuFacts.newBuilder()
                                .setIndex(gpus.size())
                                .setModel(model.toString())
                                .setMemoryMb(model.memoryMiB())
                                .setPowerLimitWatts(400)
                                .build());
            }
        }
        if (gpus.size() > Gpu.MOST_PER_NODE) {
            throw new IllegalArgumentException(
                    "a node has at most " + Gpu.MOST_PER_NODE + " GPUs, found " + gpus.size());
        }
        return new FakeGpus(gpus);
    }

    @Override
    public List<GpuReading> read() {
        return gpus.stream()
                .map(
                        gpu ->
                                GpuReading.newBuilder()
                                        .setIndex(gpu.getIndex())
                                        .setTemperatureCelsius(35 + gpu.getIndex() % 4)
                                        .setMemoryUsedMb(0)
                                        .setPowerWatts(60)
                                        .build())
                .toList();
    }

    private static GpuModel withMemory(GpuModel model, String text) {
        if (model.memoryMiB() > 0) {
            return model;
        }
        Integer usual = USUAL_MEMORY.get(model.family());
        if (usual == null) {
            throw new IllegalArgumentException(
                    "expected the memory of " + text + ", for example " + text + "-24GB");
        }
        return new GpuModel(model.family(), usual * 1024);
    }
}
