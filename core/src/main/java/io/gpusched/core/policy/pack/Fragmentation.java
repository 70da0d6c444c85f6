package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuModel;
import io.gpusched.core.state.TypicalWorkload;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How much of a node's free capacity the typical task could not use, in thousandths of a GPU: the
/// mean over the typical tasks of what each of them cannot use.
///
///     a node with 30 % + 100 % left and 1 core, typical tasks: half ask for one whole GPU and
///     2 cores, half for 50 % of a GPU and 1 core
///       → the first can use nothing (1300), the second not the 30 % (300), the mean is 800
final class Fragmentation {
    private final TypicalWorkload typicalWorkload;
    private final long[] milliCpu;
    private final int[] gpus;
    private final int[] milli;
    private final double[] part;
    private final Map<GpuModel, boolean[]> accepting = new LinkedHashMap<>();

    /// Cached, because consecutive calls are mostly about nodes of one model.
    private @Nullable GpuModel lastModel;

    private boolean @Nullable [] lastAccepting;

    Fragmentation(TypicalWorkload typicalWorkload) {
        this.typicalWorkload = typicalWorkload;
        List<TypicalWorkload.Kind> kinds = typicalWorkload.kinds();
        milliCpu = kinds.stream().mapToLong(kind -> kind.need().milliCpu()).toArray();
        gpus = kinds.stream().mapToInt(kind -> kind.need().gpus()).toArray();
        milli = kinds.stream().mapToInt(kind -> kind.need().milli()).toArray();
        part = kinds.stream().mapToDouble(TypicalWorkload.Kind::part).toArray();
    }

    /// The typical workload for which the sums are made.
    TypicalWorkload typicalWorkload() {
        return typicalWorkload;
    }

    /// The parts are summed one by one, in the order of the typical tasks, and only then together:
    /// scores are truncated to whole numbers, so the order of additions matters.
    double of(RemainingCapacity remainingCapacity) {
        double lackBoth = 0;
        double lackGpu = 0;
        double lackCpu = 0;
        double noGpuFits = 0;
        double noGpuLacks = 0;
        double noAccess = 0;
        boolean[] accepts = accepts(remainingCapacity);
        for (int i = 0; i < part.length; i++) {
            boolean cpu = remainingCapacity.milliCpu >= milliCpu[i];
            double all = part[i] * remainingCapacity.total;
            if (gpus[i] == 0) {
                noGpuFits += cpu ? all : 0;
                noGpuLacks += cpu ? 0 : all;
                continue;
            }
            if (!accepts[i]) {
                noAccess += all;
                continue;
            }
            int usable = 0;
            int rest = 0;
            for (int one : remainingCapacity.milli) {
                if (one >= milli[i]) {
                    usable++;
                } else {
                    rest += one;
                }
            }
            boolean enough = usable >= gpus[i];
            if (enough && cpu) {
                lackGpu += part[i] * rest;
            } else if (enough) {
                lackCpu += all;
            } else if (cpu) {
                lackGpu += all;
            } else {
                lackBoth += all;
            }
        }
        return lackBoth + lackGpu + lackCpu + noGpuFits + noGpuLacks + noAccess;
    }

    /// Which kinds accept the node's GPUs. The GPUs of a node are assumed to be of one model.
    private boolean[] accepts(RemainingCapacity remainingCapacity) {
        if (remainingCapacity.milli.length == 0) {
            return new boolean[part.length];
        }
        GpuModel model = remainingCapacity.gpus.getFirst().model();
        boolean[] known = model.equals(lastModel) ? lastAccepting : accepting.get(model);
        if (known == null) {
            known = new boolean[part.length];
            for (int i = 0; i < known.length; i++) {
                known[i] = typicalWorkload.kinds().get(i).need().accepts(model);
            }
            accepting.put(model, known);
        }
        lastModel = model;
        lastAccepting = known;
        return known;
    }
}
