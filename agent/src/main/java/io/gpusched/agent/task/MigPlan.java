package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.MigSlice;
import io.gpusched.wire.proto.agent.TaskOrder;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The MIG slices that a task needs, and the commands that create them.
///
///     0:3g.20gb@4  →  nvidia-smi -i 0 -mig 1
///                     nvidia-smi mig -i 0 -cgi 3g.20gb:4 -C
final class MigPlan {
    private MigPlan() {}

    /// The commands that create the slices of the task, in order.
    static List<String> commands(TaskOrder order) {
        var commands = new ArrayList<String>();
        for (int gpu : order.getSlicesList().stream().map(MigSlice::getGpu).distinct().toList()) {
            commands.add("nvidia-smi -i " + gpu + " -mig 1");
        }
        for (MigSlice slice : order.getSlicesList()) {
            commands.add(
                    "nvidia-smi mig -i "
                            + slice.getGpu()
                            + " -cgi "
                            + slice.getProfile()
                            + ":"
                            + slice.getFirst()
                            + " -C");
        }
        return commands;
    }

    /// `0:3g.20gb@4`, one for each slice.
    static String shown(TaskOrder order) {
        return order.getSlicesList().stream()
                .map(slice -> slice.getGpu() + ":" + slice.getProfile() + "@" + slice.getFirst())
                .collect(Collectors.joining(","));
    }

    /// Names for `CUDA_VISIBLE_DEVICES`. The driver names a slice when it creates it; without a
    /// driver, the position of the slice is its name.
    static String devices(TaskOrder order) {
        return order.getSlicesList().stream()
                .map(
                        slice ->
                                "MIG-"
                                        + slice.getGpu()
                                        + "-"
                                        + slice.getProfile()
                                        + "-"
                                        + slice.getFirst())
                .collect(Collectors.joining(","));
    }
}
