package io.gpusched.agent.task;

import java.time.Duration;

/// How much output is kept.
///
/// Of a task's output the newest `segments` files of about `segmentBytes` each are kept. The
/// directories of ended tasks are kept for `retention`, and no longer than their logs together stay
/// below `totalBytes`; the oldest go first.
///
/// @param segmentBytes after which a new file is begun; it may grow by up to 1 MiB beyond
public record LogLimits(long segmentBytes, int segments, Duration retention, long totalBytes) {
    /// 64 MiB per task in eight files, a week, 10 GiB in all.
    public static final LogLimits DEFAULT =
            new LogLimits(8 << 20, 8, Duration.ofDays(7), 10L << 30);

    public LogLimits {
        if (segmentBytes < 1 || segments < 2 || retention.isNegative() || totalBytes < 0) {
            throw new IllegalArgumentException(
                    "log limits need a segment of at least 1 byte and at least 2 segments");
        }
    }

    /// Limits that keep about `bytes` per task.
    public LogLimits withBytesPerTask(long bytes) {
        return new LogLimits(Math.max(1, bytes / segments), segments, retention, totalBytes);
    }

    /// Limits that keep the output of ended tasks for `kept`.
    public LogLimits withRetention(Duration kept) {
        return new LogLimits(segmentBytes, segments, kept, totalBytes);
    }

    /// Limits that keep about `bytes` of ended tasks in all.
    public LogLimits withTotalBytes(long bytes) {
        return new LogLimits(segmentBytes, segments, retention, bytes);
    }
}
