package io.gpusched.core.model;

import java.util.List;

/// A fingerprint of what a job asks for, which events carry: jobs that ask for the same share it.
///
/// Each part is mixed in under a number of its own, and only where it says something. So a field
/// that is added to the model later changes the fingerprint of no job that does not use it, and
/// journals from before replay as they were recorded.
public final class RequestDigest {
    private RequestDigest() {}

    /// The fingerprint of the job as it was requested: on any capacity and on any node.
    public static long of(JobSpec job) {
        long hash = 0x5EED;
        for (Role role : job.roles()) {
            hash = Digest.mix(hash, role(role));
        }
        for (Proximity near : job.near()) {
            hash = Digest.mix(tagged(hash, 2, near.level()), near.required() ? 1 : 0);
        }
        return hash;
    }

    private static long role(Role role) {
        Shape shape = role.shape();
        long hash = numbers(0x5EED, 10, List.of(role.min(), role.max()));
        hash = tagged(hash, 10, role.name());
        hash = gpus(hash, shape.gpus());
        hash = Digest.mix(Digest.mix(hash, shape.host().milliCpu()), shape.host().memoryMiB());
        for (GpuModel model : shape.models()) {
            hash = Digest.mix(tagged(hash, 11, model.family()), model.memoryMiB());
        }
        for (var label : shape.nodes().entries().entrySet()) {
            hash = tagged(tagged(hash, 12, label.getKey()), 13, label.getValue());
        }
        for (List<NodeRequirement> alternative : shape.requires().any()) {
            hash = Digest.mix(hash, 18);
            for (NodeRequirement one : alternative) {
                hash = tagged(tagged(hash, 30, one.key()), 31, one.operator().word());
                for (String value : one.values()) {
                    hash = tagged(hash, 32, value);
                }
            }
        }
        for (Toleration one : shape.tolerates()) {
            hash = tagged(tagged(hash, 14, one.key()), 15, one.effect());
            hash = one.exists() ? Digest.mix(hash, 16) : tagged(hash, 17, one.value());
        }
        return hash;
    }

    private static long gpus(long hash, GpuRequest gpus) {
        return switch (gpus) {
            case GpuRequest.None none -> Digest.mix(hash, 20);
            case GpuRequest.Whole whole -> {
                long sizes = numbers(hash, 21, List.of(whole.count(), whole.memoryMiB()));
                long bandwidth = Digest.mix(sizes, whole.minBandwidth());
                yield tagged(bandwidth, 22, whole.locality().name());
            }
            case GpuRequest.Slice slice ->
                    Digest.mix(tagged(hash, 23, slice.profile()), slice.count());
            case GpuRequest.Share share ->
                    numbers(hash, 24, List.of(share.milli(), share.memoryMiB(), share.count()));
        };
    }

    private static long numbers(long hash, int tag, List<Integer> values) {
        long mixed = Digest.mix(hash, tag);
        for (int value : values) {
            mixed = Digest.mix(mixed, value);
        }
        return mixed;
    }

    private static long tagged(long hash, int tag, String text) {
        return Digest.mix(Digest.mix(hash, tag), Digest.of(text));
    }
}
