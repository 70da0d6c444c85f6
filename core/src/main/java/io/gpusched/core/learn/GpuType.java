package io.gpusched.core.learn;

import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuModel;

/// A GPU model as users of the score API name it.
///
/// All spellings of a known family mean one model, so that what drivers report and what people
/// write add to the same statistics. Any other name stands for itself, as it is written.
///
///     NVIDIA A100-SXM4-80GB  →  A100-80GB, 81920 MiB
///     my-own-card            →  my-own-card, memory unknown
///
/// @param memoryMiB 0 where it is not known
public record GpuType(String name, int memoryMiB) {
    public static GpuType read(String text) {
        GpuModel model = GpuModel.parse(text);
        return GpuFamily.known(model.family()) == null
                ? new GpuType(text, model.memoryMiB())
                : new GpuType(model.toString(), model.memoryMiB());
    }

    /// Whether work that needs this much memory may run there. An unknown memory size is not
    /// refused.
    public boolean holds(double gigabytes) {
        return memoryMiB == 0 || gigabytes * 1024 <= memoryMiB;
    }
}
