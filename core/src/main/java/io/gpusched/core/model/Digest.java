package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Fingerprints of ledger entries from stable encodings. The ledger's digest is the exclusive-or of
/// all of them, so a change costs two fingerprints whatever the size of the ledger.
///
/// Never built on `hashCode`: an enum's differs between two runs of the same program.
public final class Digest {
    private Digest() {}

    /// `hash` with `value` mixed in.
    public static long mix(long hash, long value) {
        long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }

    public static long of(String text) {
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash, text.charAt(i));
        }
        return hash;
    }

    public static long of(Job job) {
        long hash = mix(0x10B, job.id().number());
        hash = mix(hash, job.priority());
        hash = mix(hash, job.attempts() * 1_000_003L + job.evictions() * 1_009L + job.losses());
        hash = job.drains() == 0 ? hash : mix(hash, job.drains());
        return switch (job.phase()) {
            case Phase.Held held -> mix(hash, 1);
            case Phase.Waiting waiting ->
                    mix(mix(hash, waiting.ranBefore() ? 3 : 2), micros(waiting.notBefore()));
            case Phase.Starting starting -> run(mix(hash, 4), starting.run());
            case Phase.Running running -> run(mix(hash, 5), running.run());
            case Phase.Stopping stopping ->
                    run(mix(hash, 6L + stopping.cause().kind().ordinal()), stopping.run());
            case Phase.Ended ended -> mix(mix(hash, 20), ended.outcome().result().ordinal());
        };
    }

    private static long run(long hash, Run run) {
        long mixed = mix(mix(hash, run.id().number()), run.id().term());
        for (TaskState task : run.tasks()) {
            mixed =
                    mix(
                            mixed,
                            switch (task) {
                                case TaskState.Assigned assigned -> 1;
                                case TaskState.Prepared prepared -> 2;
                                case TaskState.Running running -> 3;
                                case TaskState.Ended ended -> 4L + ended.exit().code();
                            });
        }
        return mixed;
    }

    public static long of(Claim claim) {
        long hash = mix(mix(0xC1A, claim.id().number()), micros(claim.from()));
        for (Slot slot : claim.slots()) {
            hash = mix(hash, slot.grant().mask());
        }
        return hash;
    }

    public static long of(TenantId tenant, Usage usage) {
        long hash = mix(of(tenant.name()), usage.milliGpus());
        hash = mix(mix(hash, usage.gpuMemoryMiB()), usage.milliCpu());
        return mix(mix(hash, usage.memoryMiB()), usage.runningJobs());
    }

    private static long micros(@Nullable Instant instant) {
        return instant == null ? -1 : Instants.micros(instant);
    }
}
