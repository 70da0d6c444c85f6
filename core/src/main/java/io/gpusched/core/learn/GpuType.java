package io.gpusched.core.learn;

import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuModel;

/// A kind of GPU as people name it when they ask or tell how long something takes there.
///
/// Spellings of a family that is known mean one kind, so that what drivers report and what people
/// write teach the same thing; any other name stands for itself, as it is written.
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

    /// Whether work that needs so much memory may go there. What is not known is not refused.
    public boolean holds(double gigabytes) {
        return memoryMiB == 0 || gigabytes * 1024 <= memoryMiB;
    }
}
