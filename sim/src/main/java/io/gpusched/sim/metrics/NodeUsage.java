package io.gpusched.sim.metrics;

import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;

import org.jspecify.annotations.Nullable;

/// A node as the meter sees it: who touches its GPUs, how busy and how warm they are.
final class NodeUsage {
    final Node node;
    private final GpuDataSheet[] sheets;
    private final Heat[] heat;
    private final boolean[] unfit;
    private final int[] holders;
    private final int[] busyMilli;
    boolean lost;
    @Nullable Market market;

    /// What it adds to the sums of the fleet at the moment.
    int free;

    int there;
    double watts;

    /// Of carbon per kWh as its market says; 0 where none does.
    int grams;

    /// Since when nobody holds anything of it, in seconds; no number when somebody does.
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

    /// The same place when its node has changed. What is known of its GPUs stays with their
    /// numbers; nobody holds any yet.
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

    /// Fit GPUs that nobody touches.
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

    /// What one holder of a part of a GPU answers for.
    double wattsOf(int gpu, int milli, boolean busy) {
        return milli / 1000.0 * sheets[gpu].watts(busy ? 1 : 0, heat[gpu]);
    }

    double dollarsPerHour(int gpu) {
        return market == null
                ? sheets[gpu].centsPerHour() / 100.0
                : market.microDollarsPerGpuHour() / 1e6;
    }
}
