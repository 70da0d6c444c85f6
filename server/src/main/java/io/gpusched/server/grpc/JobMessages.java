package io.gpusched.server.grpc;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.QueuePositions;
import io.gpusched.server.view.StateReasons;
import io.gpusched.server.view.View;
import io.gpusched.wire.proto.scheduler.GetJobStatusResponse;
import io.gpusched.wire.proto.scheduler.Job;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.UnaryOperator;

/// Converts jobs to gRPC messages.
final class JobMessages {
    private static final long QUICKLY_COUNTED = 20_000;

    private JobMessages() {}

    /// @param readable makes a text readable for the caller
    static Job job(
            io.gpusched.core.model.Job job, StateReasons reasons, UnaryOperator<String> readable) {
        JobSpec spec = job.spec();
        var message =
                Job.newBuilder()
                        .setId(job.id().toString())
                        .setTenantId(spec.tenant().name())
                        .setName(spec.name())
                        .setState(PublicState.of(job).toString())
                        .setPriority(job.priority())
                        .setGpuCount((int) (spec.milliGpus() / 1000))
                        .setGpuMemoryMb(spec.gpuMemoryMiB())
                        .setCpuCores((int) (spec.host().milliCpu() / 1000))
                        .setMemoryMb(spec.host().memoryMiB())
                        .setGangScheduling(spec.isGang())
                        .setTasks(spec.tasks())
                        .setMaxRuntime(Duration.newBuilder().setSeconds(spec.limit().toSeconds()))
                        .setSubmittedAt(timestamp(job.submitted()))
                        .setPreemptedCount(job.evictions())
                        .setReason(readable.apply(reasons.of(job)))
                        .putAllLabels(spec.labels().entries());
        Run run = runOf(job);
        if (run != null) {
            message.setScheduledAt(timestamp(run.placed()));
        }
        Instant started = job.phase().startedAt();
        if (started != null) {
            message.setStartedAt(timestamp(started));
        }
        if (job.phase() instanceof Phase.Ended over) {
            message.setCompletedAt(timestamp(over.over()));
            if (over.outcome().exitCode() >= 0) {
                message.setExitCode(over.outcome().exitCode());
            }
        }
        return message.build();
    }

    /// @param wait how long the job is expected to wait; null if unknown
    static GetJobStatusResponse status(
            io.gpusched.core.model.Job job,
            StateReasons reasons,
            java.time.@Nullable Duration wait,
            UnaryOperator<String> readable) {
        var message =
                GetJobStatusResponse.newBuilder()
                        .setJobId(job.id().toString())
                        .setState(PublicState.of(job).toString())
                        .setMessage(job.waiting() ? readable.apply(reasons.of(job)) : "")
                        .setQueuePosition(position(job, reasons.view()))
                        .setJob(job(job, reasons, readable));
        if (wait != null) {
            message.setEstimatedWait(Duration.newBuilder().setSeconds(wait.toSeconds()));
        }
        Run run = runOf(job);
        if (run != null) {
            var nodes = new LinkedHashSet<String>();
            for (Slot slot : run.on().slots()) {
                nodes.add(slot.node().name());
                for (long rest = slot.grant().mask(); rest != 0; rest &= rest - 1) {
                    message.addAllocatedGpus(
                            slot.node().name() + ":" + Long.numberOfTrailingZeros(rest));
                }
            }
            message.setNodeName(String.join(",", nodes));
        }
        return message.build();
    }

    /// The queue position for the answer to a submission: only if it is quickly computed, else 0.
    static int quickPosition(JobId id, View view) {
        var job = view.job(id);
        boolean few = view.waitingJobs() < QUICKLY_COUNTED;
        return job == null || !few ? 0 : position(job, view);
    }

    static int position(io.gpusched.core.model.Job job, View view) {
        return Math.toIntExact(QueuePositions.shown(job, QueuePositions.of(List.of(job), view)));
    }

    private static @Nullable Run runOf(io.gpusched.core.model.Job job) {
        return job.phase() instanceof Phase.Ended over ? over.last() : job.phase().run();
    }

    static Timestamp timestamp(Instant at) {
        return Timestamp.newBuilder()
                .setSeconds(at.getEpochSecond())
                .setNanos(at.getNano())
                .build();
    }
}
