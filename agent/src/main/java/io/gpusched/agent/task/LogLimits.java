package io.gpusched.agent.task;

import java.time.Duration;

/// How much is kept of the output of tasks, and of what ended tasks left in their working
/// directories.
///
/// Of a task's output the newest `segments` files of about `segmentBytes` each are kept. What ended
/// tasks left is kept for `retention`, of at most `tasks` tasks, and in all at most `totalBytes`;
/// the agent deletes the oldest first.
///
/// @param segmentBytes after which a new file is begun; it may grow by up to 1 MiB beyond
public record LogLimits(
        long segmentBytes, int segments, Duration retention, int tasks, long totalBytes) {
    /// 64 MiB per task in eight files, a week, 5,000 ended tasks, 10 GiB in all.
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
