package io.gpusched.server.idle;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// A running task that holds GPUs, and since when it is recorded as idle.
final class GpuHolder {
    /// While a job that may be stopped stays idle, its idleness is reported this often: the tasks
    /// of a gang exceed the limit one after the other, and the last one counts.
    private static final Duration REMIND_EVERY = Duration.ofMinutes(1);

    final AttemptId attempt;
    final int rank;
    final NodeId node;
    private final long gpus;
    private final long milli;
    private final Instant from;
    private @Nullable Instant recorded;
    private Instant reminded = Instant.MIN;

    /// @param gpus the held GPUs, one bit each
    /// @param milli the held GPUs in thousandths
    /// @param from when the task was reported as running
    GpuHolder(AttemptId attempt, int rank, NodeId node, long gpus, long milli, Instant from) {
        this.attempt = attempt;
        this.rank = rank;
        this.node = node;
        this.gpus = gpus;
        this.milli = milli;
        this.from = from;
    }

    /// The task is recorded as idle since then; as busy if null.
    void recorded(@Nullable Instant since) {
        recorded = since;
    }

    /// The report to the cell after a reading; null for none. A repeated report does no harm.
    @Nullable Report news(Map<Integer, GpuUse> devices, IdleRules rules, Instant now) {
        Instant known = recorded;
        if (known == null) {
            Instant since = quietSince(devices);
            Duration idle = since == null ? Duration.ZERO : Duration.between(since, now);
            return idle.compareTo(rules.after()) < 0 ? null : use(idle);
        }
        if (anyBusy(devices)) {
            return use(Duration.ZERO);
        }
        Duration idle = Duration.between(known, now);
        if (!rules.reclaims()
                || idle.compareTo(rules.patience()) < 0
                || quietSince(devices) == null
                || now.isBefore(reminded.plus(REMIND_EVERY))) {
            return null;
        }
        reminded = now;
        return use(idle);
    }

    private Report use(Duration idle) {
        return new Report.TaskUse(attempt, rank, idle);
    }

    private boolean anyBusy(Map<Integer, GpuUse> devices) {
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            GpuUse gpuUse = devices.get(Long.numberOfTrailingZeros(rest));
            if (gpuUse != null && gpuUse.busy()) {
                return true;
            }
        }
        return false;
    }

    /// Since when all its GPUs have been unused; null while one is used or unknown.
    private @Nullable Instant quietSince(Map<Integer, GpuUse> devices) {
        Instant since = from;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            Instant quiet = quietSince(devices.get(Long.numberOfTrailingZeros(rest)));
            if (quiet == null) {
                return null;
            }
            since = later(since, quiet);
        }
        return since;
    }

    private static @Nullable Instant quietSince(@Nullable GpuUse gpuUse) {
        return gpuUse == null ? null : gpuUse.quietSince();
    }

    /// The task's row in the idle list; null while it uses all its GPUs, or did a moment ago.
    @Nullable IdleRow row(Map<Integer, GpuUse> devices, IdleRules rules, Instant now) {
        long unused = 0;
        long wasted = 0;
        double percents = 0;
        Instant first = null;
        long each = milli / Long.bitCount(gpus);
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            GpuUse gpuUse = devices.get(gpu);
            Instant since = recorded == null ? longQuiet(gpuUse, rules, now) : recorded;
            if (since != null) {
                unused |= 1L << gpu;
                percents += gpuUse == null ? Double.NaN : gpuUse.percent();
                wasted += Math.max(0, Duration.between(since, now).toMillis()) * each / 1000;
                first = first == null || since.isBefore(first) ? since : first;
            }
        }
        if (first == null) {
            return null;
        }
        int count = Long.bitCount(unused);
        return new IdleRow(
                attempt,
                rank,
                node,
                milli,
                unused,
                each * count,
                first,
                wasted,
                percents / count,
                unused == gpus);
    }

    private @Nullable Instant longQuiet(@Nullable GpuUse gpuUse, IdleRules rules, Instant now) {
        Instant quiet = quietSince(gpuUse);
        if (quiet == null) {
            return null;
        }
        Instant since = later(from, quiet);
        return since.plus(rules.after()).isAfter(now) ? null : since;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }
}
