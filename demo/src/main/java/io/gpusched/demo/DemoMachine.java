package io.gpusched.demo;

import io.gpusched.agent.FakeGpus;
import io.gpusched.agent.GpuProbe;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuReading;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A simulated machine: its GPUs get warm while tasks use them and cool down afterwards.
///
///     °C   ──── a busy GPU nears 62 to 74, the last one of a machine 82 ────▶ hot, gets no new
/// work
///     34   ──── an idle one nears 34
final class DemoMachine implements GpuProbe {
    private static final double IDLE = 34;
    private static final double BUSY = 62;
    private static final double POORLY_COOLED = 82;

    /// How fast a GPU takes on the temperature it is heading for, per second.
    private static final double PACE = 0.08;

    private static final long SECOND = 1_000_000_000L;

    private volatile List<GpuFacts> gpus;
    private final double[] celsius;
    private final boolean[] busy;
    private final boolean[] held;
    private long readAt = System.nanoTime();

    /// @param description as for an agent's `--fake-gpus`: `8xA100-80GB`
    DemoMachine(String description) {
        this.gpus = FakeGpus.parse(description).gpus();
        this.celsius = new double[gpus.size()];
        this.busy = new boolean[gpus.size()];
        this.held = new boolean[gpus.size()];
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

    /// From now on exactly these GPUs are at work, and these held by tasks that do not use them.
    synchronized void work(List<Integer> indices, List<Integer> unused) {
        age();
        Arrays.fill(busy, false);
        Arrays.fill(held, false);
        indices.forEach(index -> busy[index] = true);
        unused.forEach(index -> held[index] = true);
    }

    @Override
    public synchronized List<GpuReading> read() {
        age();
        var readings = new ArrayList<GpuReading>();
        for (int i = 0; i < celsius.length; i++) {
            double load = busy[i] ? 78 + (celsius[i] * 7 + i * 3) % 20 : 0;
            readings.add(
                    GpuReading.newBuilder()
                            .setIndex(i)
                            .setTemperatureCelsius(Math.rint(celsius[i] * 10) / 10)
                            .setUtilizationPercent(Math.rint(load))
                            .setMemoryUsedMb(memory(i))
                            .setPowerWatts(busy[i] ? 310 + 2 * i : 58)
                            .build());
        }
        return readings;
    }

    private long memory(int gpu) {
        return busy[gpu] || held[gpu] ? gpus.get(gpu).getMemoryMb() * 7 / 10 : 0;
    }

    private void age() {
        long now = System.nanoTime();
        double seconds = (now - readAt) / (double) SECOND;
        readAt = now;
        double kept = StrictMath.exp(-PACE * seconds);
        for (int i = 0; i < celsius.length; i++) {
            double goal = busy[i] ? warm(i) : IDLE;
            celsius[i] = goal + (celsius[i] - goal) * kept;
        }
    }

    private double warm(int gpu) {
        return gpu == celsius.length - 1 ? POORLY_COOLED : BUSY + gpu * 2;
    }
}
