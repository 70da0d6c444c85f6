package io.gpusched.core.place;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Role;

import java.util.LinkedHashSet;

/// Describes a job's request in the units it was made in: GPUs, slices, or parts of GPUs.
public final class RequestText {
    private RequestText() {}

    /// `2 tasks at once, 8 GPUs`, `2 slices of 1g.5gb`, `40 % of a GPU`.
    public static String words(JobSpec spec) {
        var words = new LinkedHashSet<String>();
        for (Role role : spec.roles()) {
            words.add(words(role.shape().gpus(), role.min()));
        }
        String tasks = spec.tasks() == 1 ? "" : spec.tasks() + " tasks at once, ";
        return tasks + String.join(" and ", words);
    }

    private static String words(GpuRequest request, int tasks) {
        return switch (request) {
            case GpuRequest.None none -> "CPU cores and memory";
            case GpuRequest.Whole whole -> gpus(whole.count() * (long) tasks);
            case GpuRequest.Slice slice ->
                    Plurals.of(slice.count() * (long) tasks, "slice") + " of " + slice.profile();
            case GpuRequest.Share share -> {
                long count = share.count() * (long) tasks;
                String part = percent(share.milli()) + " % of ";
                yield part + (count == 1 ? "a GPU" : "each of " + count + " GPUs");
            }
        };
    }

    static String gpus(long count) {
        return Plurals.of(count, "GPU");
    }

    public static String percent(int milli) {
        return milli % 10 == 0 ? Integer.toString(milli / 10) : milli / 10 + "." + milli % 10;
    }
}
