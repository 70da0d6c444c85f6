package io.gpusched.demo;

import io.gpusched.agent.FakeGpus;
import io.gpusched.agent.GpuProbe;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Heat;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuReading;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A simulated machine: its GPUs draw power and get warm while tasks use them, and cool down
/// afterwards.
///
///     °C   ──── the more a GPU works, the closer it comes to 62 to 74; the last one of a machine
///               is poorly cooled: 82, which is hot, so it gets no new work
///     34   ──── an idle one nears 34
final class DemoMachine implements GpuProbe {
    private static final double IDLE = 34;
    private static final double BUSY = 62;
    private static final double POORLY_COOLED = 82;

    /// A GPU with this load gets as warm as it ever does.
    private static final double FULL = 0.6;

    /// How fast a GPU takes on the temperature it is heading for, per second.
    private static final double PACE = 0.08;

    private static final long SECOND = 1_000_000_000L;

    private volatile List<GpuFacts> gpus;
    private final double[] celsius;
    private final double[] load;
    private final double[] memory;
    private final long began = System.nanoTime();
    private List<TaskLoad> uses = List.of();
    private long readAt = began;

    /// @param description as for an agent's `--fake-gpus`: `8xA100-80GB`
    DemoMachine(String description) {
        this.gpus = FakeGpus.parse(description).gpus();
        this.celsius = new double[gpus.size()];
        this.load = new double[gpus.size()];
        this.memory = new double[gpus.size()];
        Arrays.fill(celsius, IDLE);
    }

    @Override
    public List<GpuFacts> gpus() {
        return gpus;
    }

    /// The same GPUs, as a core knows them.
    List<Gpu> models() {
        var models = new ArrayList<Gpu>();
        for (GpuFacts gpu : gpus) {
            var model = GpuModel.parse(gpu.getModel());
            models.add(new Gpu(models.size(), model, (int) gpu.getMemoryMb(), gpu.getUuid()));
        }
        return models;
    }

    /// The same GPUs, with the sockets they are at.
    void wiredAs(List<GpuFacts> wired) {
        this.gpus = List.copyOf(wired);
    }

    /// From now on the machine's tasks use its GPUs like this.
    synchronized void work(List<TaskLoad> now) {
        age();
        uses = List.copyOf(now);
        measure();
    }

    @Override
    public synchronized List<GpuReading> read() {
        age();
        measure();
        var readings = new ArrayList<GpuReading>();
        for (int i = 0; i < celsius.length; i++) {
            GpuFacts gpu = gpus.get(i);
            readings.add(
                    GpuReading.newBuilder()
                            .setIndex(i)
                            .setTemperatureCelsius(Math.rint(celsius[i] * 10) / 10)
                            .setUtilizationPercent(Math.rint(load[i] * 100))
                            .setMemoryUsedMb(Math.round(gpu.getMemoryMb() * memory[i]))
                            .setPowerWatts(Math.rint(watts(gpu, load[i])))
                            .build());
        }
        return readings;
    }

    private static double watts(GpuFacts gpu, double load) {
        String family = GpuModel.parse(gpu.getModel()).family();
        return GpuDataSheet.of(family).watts(load, Heat.COOL);
    }

    private void measure() {
        double seconds = (System.nanoTime() - began) / (double) SECOND;
        Arrays.fill(load, 0);
        Arrays.fill(memory, 0);
        for (TaskLoad use : uses) {
            load[use.gpu()] = Math.min(1, load[use.gpu()] + use.load(seconds));
            memory[use.gpu()] = Math.min(1, memory[use.gpu()] + use.memory());
        }
    }

    private void age() {
        long now = System.nanoTime();
        double seconds = (now - readAt) / (double) SECOND;
        readAt = now;
        double kept = StrictMath.exp(-PACE * seconds);
        for (int i = 0; i < celsius.length; i++) {
            double goal = IDLE + (warm(i) - IDLE) * Math.min(1, load[i] / FULL);
            celsius[i] = goal + (celsius[i] - goal) * kept;
        }
    }

    private double warm(int gpu) {
        return gpu == celsius.length - 1 ? POORLY_COOLED : BUSY + gpu * 2;
    }
}
