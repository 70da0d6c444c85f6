package io.gpusched.sim.metrics;

import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;

import org.jspecify.annotations.Nullable;

/// The use of one node: which runs hold its GPUs, and how busy and how warm these are.
final class NodeUsage {
    final Node node;
    private final GpuDataSheet[] sheets;
    private final Heat[] heat;
    private final boolean[] unfit;
    private final int[] holders;
    private final int[] busyMilli;
    boolean lost;
    @Nullable Market market;

    /// Its present contribution to the sums of the fleet.
    int free;

    int there;
    double watts;

    /// Grams of CO2e per kWh by its market; 0 if no market sets it.
    int grams;

    /// The time in seconds since which the node is empty; NaN if a run holds something.
    double emptySince = Double.NaN;

    NodeUsage(Node node) {
        this.node = node;
        int n = node.gpus().size();
        sheets = new GpuDataSheet[n];
        heat = new Heat[n];
        unfit = new boolean[n];
        holders = new int[n];
        busyMilli = new int[n];
        for (int i = 0; i < n; i++) {
            sheets[i] = GpuDataSheet.of(node.gpus().get(i).model().family());
            heat[i] = Heat.COOL;
        }
    }

    /// The usage of the node after the node has changed. GPUs keep their state by index; no run
    /// holds any yet.
    NodeUsage as(Node other) {
        var nodeUsage = new NodeUsage(other);
        int same = Math.min(nodeUsage.gpus(), gpus());
        System.arraycopy(heat, 0, nodeUsage.heat, 0, same);
        System.arraycopy(unfit, 0, nodeUsage.unfit, 0, same);
        return nodeUsage;
    }

    int gpus() {
        return sheets.length;
    }

    boolean isEmpty() {
        for (int count : holders) {
            if (count > 0) {
                return false;
            }
        }
        return true;
    }

    boolean isTouched(int gpu) {
        return holders[gpu] > 0;
    }

    void hold(int gpu, int change) {
        holders[gpu] += change;
    }

    void busy(int gpu, int changeMilli) {
        busyMilli[gpu] += changeMilli;
    }

    void condition(int gpu, GpuCondition condition) {
        heat[gpu] = condition.heat();
        unfit[gpu] = !condition.fit();
    }

    /// Healthy GPUs that no run holds.
    int countFree() {
        int count = 0;
        for (int i = 0; i < holders.length; i++) {
            count += holders[i] == 0 && !unfit[i] ? 1 : 0;
        }
        return count;
    }

    double countWatts() {
        double sum = 0;
        for (int i = 0; i < sheets.length; i++) {
            sum += sheets[i].watts(Math.min(1, busyMilli[i] / 1000.0), heat[i]);
        }
        return sum;
    }

    /// The power that one holder of a part of a GPU accounts for.
    double wattsOf(int gpu, int milli, boolean busy) {
        return milli / 1000.0 * sheets[gpu].watts(busy ? 1 : 0, heat[gpu]);
    }

    double dollarsPerHour(int gpu) {
        return market == null
                ? sheets[gpu].centsPerHour() / 100.0
                : market.microDollarsPerGpuHour() / 1e6;
    }
}
