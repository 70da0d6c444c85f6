package io.gpusched.store;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.wire.codec.JobCodec;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/// The row of a job: columns for people, and the encoded job in the last column.
final class JobColumns {
    static final String[] NAMES = {
        "number",
        "id",
        "tenant_id",
        "name",
        "state",
        "reason",
        "priority",
        "gpu_count",
        "gpu_memory_mb",
        "cpu_cores",
        "memory_mb",
        "tasks",
        "gang_scheduling",
        "script",
        "environment",
        "image",
        "command",
        "args",
        "max_runtime",
        "checkpoint_enabled",
        "node_name",
        "exit_code",
        "submitted_at",
        "scheduled_at",
        "started_at",
        "completed_at",
        "actual_duration",
        "preempted_count",
        "attempts",
        "labels",
        "created_at",
        "updated_at",
        "body"
    };

    private JobColumns() {}

    static @Nullable Object[] of(Job job, JobCodec codec) {
        JobSpec spec = job.spec();
        Run run = run(job.phase());
        Instant started = job.phase().startedAt();
        Phase.Ended ended = job.phase() instanceof Phase.Ended over ? over : null;
        return new @Nullable Object[] {
            job.id().number(),
            job.id().toString(),
            spec.tenant().name(),
            spec.name(),
            state(job),
            reason(job.phase()),
            job.priority(),
            thousandths(spec.milliGpus()),
            spec.gpuMemoryMiB(),
            thousandths(spec.host().milliCpu()),
            spec.host().memoryMiB(),
            spec.tasks(),
            spec.isGang(),
            spec.payload().script(),
            JsonText.map(spec.payload().environment().entries()),
            spec.payload().image(),
            JsonText.list(spec.payload().command()),
            JsonText.list(spec.payload().args()),
            spec.limit().toNanos(),
            spec.onLoss().checkpoints(),
            run == null ? "" : nodes(run.on()),
            ended == null || ended.outcome().exitCode() < 0 ? null : ended.outcome().exitCode(),
            job.submitted(),
            run == null ? null : run.placed(),
            started,
            ended == null ? null : ended.over(),
            ended == null || started == null
                    ? null
                    : Duration.between(started, ended.over()).toNanos(),
            job.evictions(),
            job.attempts(),
            JsonText.map(spec.labels().entries()),
            job.submitted(),
            updated(job),
            codec.encode(job)
        };
    }

    /// The state as the public API spells it.
    static String state(Job job) {
        return switch (job.phase()) {
            case Phase.Held _, Phase.Waiting _ -> job.stops() > 0 ? "preempted" : "pending";
            case Phase.Starting _ -> "scheduled";
            case Phase.Running _, Phase.Stopping _ -> "running";
            case Phase.Ended ended -> ended.outcome().result().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String reason(Phase phase) {
        return switch (phase) {
            case Phase.Held held -> held.why();
            case Phase.Waiting _, Phase.Starting _, Phase.Running _ -> "";
            case Phase.Stopping stopping -> stopping.cause().detail();
            case Phase.Ended ended -> ended.outcome().reason();
        };
    }

    private static Instant updated(Job job) {
        return switch (job.phase()) {
            case Phase.Held held -> held.since();
            case Phase.Waiting waiting -> waiting.since();
            case Phase.Starting starting -> starting.since();
            case Phase.Running running -> running.since();
            case Phase.Stopping stopping -> stopping.since();
            case Phase.Ended ended -> ended.at();
        };
    }

    private static @Nullable Run run(Phase phase) {
        return phase instanceof Phase.Ended ended ? ended.last() : phase.run();
    }

    private static String nodes(Placement on) {
        var names = new LinkedHashSet<String>();
        on.slots().forEach(slot -> names.add(slot.node().name()));
        return String.join(",", names);
    }

    /// `node:index` of each GPU.
    static List<String> gpus(Slot slot) {
        var ids = new ArrayList<String>();
        for (long rest = slot.grant().mask(); rest != 0; rest &= rest - 1) {
            ids.add(slot.node() + ":" + Long.numberOfTrailingZeros(rest));
        }
        return ids;
    }

    /// A number without a decimal point if it is whole.
    static BigDecimal thousandths(long milli) {
        return milli % 1000 == 0 ? BigDecimal.valueOf(milli / 1000) : BigDecimal.valueOf(milli, 3);
    }
}
