package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.state.Typical;
import io.gpusched.core.state.Typical.Need;

import java.util.List;

/// How much of what a node has left the typical task could not use, in thousandths of a GPU: the
/// mean over the typical tasks of what each of them leaves out.
///
///     a node with 30 % + 100 % left and 1 core, typical tasks: half ask for one whole GPU and
///     2 cores, half for 50 % of a GPU and 1 core
///       → the first can use nothing (1300), the second not the 30 % (300), the mean is 800
final class Fragments {
    private Fragments() {}

    /// Reasons are added up one by one, in the order of the typical tasks, and only then together:
    /// scores are cut to whole numbers, so the order of additions shows.
    static double of(Left left, Typical typical) {
        double lackBoth = 0;
        double lackGpu = 0;
        double lackCpu = 0;
        double noGpuFits = 0;
        double noGpuLacks = 0;
        double noAccess = 0;
        List<Typical.Kind> kinds = typical.kinds();
        for (int i = 0; i < kinds.size(); i++) {
            Typical.Kind kind = kinds.get(i);
            Need need = kind.need();
            boolean cpu = left.milliCpu >= need.milliCpu();
            if (need.gpus() == 0) {
                noGpuFits += cpu ? kind.part() * left.total : 0;
                noGpuLacks += cpu ? 0 : kind.part() * left.total;
                continue;
            }
            int usable = 0;
            int rest = 0;
            boolean access = false;
            for (int gpu = 0; gpu < left.milli.length; gpu++) {
                boolean model = accepts(need, left.gpus.get(gpu));
                access |= model;
                if (model && left.milli[gpu] >= need.milli()) {
                    usable++;
                } else {
                    rest += left.milli[gpu];
                }
            }
            boolean enough = usable >= need.gpus();
            if (!access) {
                noAccess += kind.part() * left.total;
            } else if (enough && cpu) {
                lackGpu += kind.part() * rest;
            } else if (enough) {
                lackCpu += kind.part() * left.total;
            } else if (cpu) {
                lackGpu += kind.part() * left.total;
            } else {
                lackBoth += kind.part() * left.total;
            }
        }
        return lackBoth + lackGpu + lackCpu + noGpuFits + noGpuLacks + noAccess;
    }

    private static boolean accepts(Need need, Gpu gpu) {
        return need.models().isEmpty() || need.accepts(gpu.model());
    }
}
