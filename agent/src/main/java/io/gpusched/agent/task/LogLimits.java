package io.gpusched.agent.task;

import java.time.Duration;

/// Limits for the output of tasks and for the files of ended tasks.
///
/// The newest `segments` files of about `segmentBytes` each are kept per task. Output and working
/// directories of ended tasks are kept for `retention`, for at most `tasks` tasks and at most
/// `totalBytes` in total; the agent deletes the oldest first.
///
/// @param segmentBytes size at which a new file begins; a file may exceed it by up to 1 MiB
public record LogLimits(
        long segmentBytes, int segments, Duration retention, int tasks, long totalBytes) {
    /// 64 MiB per task in eight files, a week, 5,000 ended tasks, 10 GiB in total.
    public static final LogLimits DEFAULT =
            new LogLimits(8 << 20, 8, Duration.ofDays(7), 5_000, 10L << 30);

    public LogLimits {
        if (segmentBytes < 1
                || segments < 2
                || retention.isNegative()
                || tasks < 0
                || totalBytes < 0) {
            throw new IllegalArgumentException(
                    "log limits need a segment of at least 1 byte, at least 2 segments and no"
                            + " negative number");
        }
    }

    /// Limits that keep about `bytes` per task.
    public LogLimits withBytesPerTask(long bytes) {
        return new LogLimits(Math.max(1, bytes / segments), segments, retention, tasks, totalBytes);
    }

    /// Limits that keep the output of ended tasks for `kept`.
    public LogLimits withRetention(Duration kept) {
        return new LogLimits(segmentBytes, segments, kept, tasks, totalBytes);
    }

    /// Limits that keep about `bytes` of ended tasks in all.
    public LogLimits withTotalBytes(long bytes) {
        return new LogLimits(segmentBytes, segments, retention, tasks, bytes);
    }

    /// Limits that keep at most `most` ended tasks.
    public LogLimits withTasks(int most) {
        return new LogLimits(segmentBytes, segments, retention, most, totalBytes);
    }
}
