package io.gpusched.server.http;

import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeRequirement;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Toleration;
import io.gpusched.server.view.ExpectedStarts;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.QueuePositions;
import io.gpusched.server.view.StateReasons;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Writes a job as JSON. Durations are in seconds; an unknown value is null.
final class JobJson {
    private final JsonOutput out;
    private final View view;
    private final Map<JobId, Long> positions;
    private final StateReasons reasons;
    private final UnaryOperator<String> readable;

    /// @param readable makes a text readable for the caller
    JobJson(
            JsonOutput out,
            Map<JobId, Long> positions,
            StateReasons reasons,
            UnaryOperator<String> readable) {
        this.out = out;
        this.view = reasons.view();
        this.positions = positions;
        this.reasons = reasons;
        this.readable = readable;
    }

    /// Writes the job as an object.
    void write(Job job) {
        out.object();
        fields(job);
        out.endObject();
    }

    /// Writes all fields of the job into an object that is open.
    void fields(Job job) {
        JobSpec spec = job.spec();
        String state = PublicState.of(job).toString();
        out.field("id", job.id().toString()).field("job_id", job.id().toString());
        out.field("tenant_id", spec.tenant().name()).field("name", spec.name());
        out.field("state", state).field("status", state);
        out.field("reason", readable.apply(reasons.of(job)));
        stop(job);
        out.field("priority", job.priority());
        pool(spec.replica());
        demand(spec);
        payload(spec.payload());
        out.field("max_runtime", spec.limit().toSeconds());
        out.field("max_runtime_minutes", spec.limit().toMinutes());
        out.field("grace_seconds", spec.onLoss().grace().toSeconds());
        out.field("requeue", spec.onLoss().requeue());
        out.field("checkpoint_enabled", spec.onLoss().checkpoints()).field("checkpoint_path", "");
        times(job);
        DeadlineJson.write(job, view, out);
        places(job);
        idle(job);
        out.field("queue_position", QueuePositions.shown(job, positions));
        start(job);
        out.field("preempted_count", job.evictions()).field("drained_count", job.drains());
        out.field("lost_count", job.losses());
        out.name("avoided_nodes").array();
        job.avoids()
                .forEach(
                        one ->
                                out.object()
                                        .field("node", one.node().name())
                                        .field("until", one.until())
                                        .field("reason", readable.apply(one.why()))
                                        .endObject());
        out.endArray();
        out.field("attempts", job.attempts());
        out.field("labels", spec.labels().entries()).field("annotations", Map.of());
    }

    /// Which replica of which pool the job is.
    private void pool(@Nullable Replica replica) {
        if (replica == null) {
            out.empty("pool").empty("replica");
        } else {
            out.field("pool", replica.pool()).field("replica", replica.number());
        }
    }

    /// The parts of the reason by which a program can decide: why the scheduler stops the run, and
    /// which node of the run does not answer.
    private void stop(Job job) {
        out.field(
                "stop_cause",
                job.phase() instanceof Phase.Stopping stopping
                        ? stopping.cause().kind().name().toLowerCase(Locale.ROOT)
                        : null);
        NodeId unreachable = reasons.unreachableNode(job);
        out.field("unreachable_node", unreachable == null ? null : unreachable.name());
    }

    /// When a waiting job is expected to start: one in ten such jobs before `p10`, half before
    /// `p50`.
    void start(Job job) {
        ExpectedStarts starts = reasons.starts();
        StartEstimate startEstimate = starts.of(job);
        if (startEstimate == null) {
            out.empty("estimated_start");
            return;
        }
        out.name("estimated_start").object();
        out.field("p10", startEstimate.early())
                .field("p50", startEstimate.middle())
                .field("p90", startEstimate.late());
        out.field("due", starts.isDue(job));
        out.field("method", starts.isRough(job) ? "extrapolated" : "simulated");
        out.endObject();
    }

    private void demand(JobSpec spec) {
        Shape shape = spec.roles().getFirst().shape();
        gpus(shape.gpus(), spec);
        out.field("gpu_memory_mb", spec.gpuMemoryMiB());
        out.field("cpu_cores", cores(spec));
        out.field("memory_mb", spec.host().memoryMiB());
        out.field("gang_scheduling", spec.isGang()).field("tasks", spec.tasks());
        out.field("near", levels(spec, false)).field("within", levels(spec, true));
        carbon(spec.carbon());
        out.field("gpu_model", shape.models().stream().map(Object::toString).toList());
        out.field("node_selector", shape.nodes().entries());
        requirements(shape.requires());
        out.name("tolerations").array();
        for (Toleration toleration : shape.tolerates()) {
            out.object().field("key", toleration.key());
            out.field("operator", toleration.exists() ? "Exists" : "Equal");
            out.field("value", toleration.value()).field("effect", toleration.effect());
            out.endObject();
        }
        out.endArray();
    }

    private void requirements(NodeAlternatives alternatives) {
        if (alternatives.isEmpty()) {
            return;
        }
        out.name("node_requirements").array();
        for (List<NodeRequirement> all : alternatives.any()) {
            out.array();
            for (NodeRequirement one : all) {
                out.object().field("key", one.key()).field("op", one.operator().word());
                out.field("values", one.values()).endObject();
            }
            out.endArray();
        }
        out.endArray();
    }

    private void carbon(CarbonPreference carbon) {
        if (carbon.equals(CarbonPreference.NONE)) {
            return;
        }
        out.name("carbon").object();
        Duration slack = carbon.slack();
        if (slack != null) {
            out.field("shift_hours", slack.toSeconds() / 3_600.0);
        }
        if (carbon.maxGramsPerKwh() > 0) {
            out.field("max_intensity", carbon.maxGramsPerKwh());
        }
        if (!carbon.regions().isEmpty()) {
            out.field("preferred_regions", carbon.regions());
        }
        out.endObject();
    }

    /// The cores as requested for all tasks. Each task has an equal number of thousandths; the
    /// remainder of that division, less than a thousandth per task, is added again.
    private static double cores(JobSpec spec) {
        long sum = spec.host().milliCpu();
        long whole = Math.ceilDiv(sum, 1000L) * 1000;
        return (whole - sum < spec.tasks() ? whole : sum) / 1000.0;
    }

    private static List<String> levels(JobSpec spec, boolean required) {
        return spec.near().stream()
                .filter(proximity -> proximity.required() == required)
                .map(Proximity::level)
                .toList();
    }

    /// The GPUs or slices of all tasks together, and the requirements on them.
    private void gpus(GpuRequest request, JobSpec spec) {
        switch (request) {
            case GpuRequest.None none -> out.field("gpu_count", 0.0);
            case GpuRequest.Whole whole -> {
                out.field("gpu_count", spec.milliGpus() / 1000.0);
                out.field(
                        "gpu_locality",
                        whole.locality().name().toLowerCase(Locale.ROOT).replace('_', '-'));
                if (whole.minBandwidth() > 0) {
                    out.field("gpu_min_bandwidth", whole.minBandwidth() + "Gi");
                }
            }
            case GpuRequest.Slice slice -> {
                out.field("gpu_count", (double) slice.count() * spec.tasks());
                out.field("mig_profile", slice.profile());
            }
            case GpuRequest.Share share -> {
                out.field("gpu_count", (double) share.count() * spec.tasks());
                out.field("gpu_percent", share.milli() / 10.0).field("gpu_milli", share.milli());
            }
        }
    }

    private void payload(Payload payload) {
        out.field("script", payload.script()).field("command", payload.command());
        out.field("args", payload.args()).field("environment", payload.environment().entries());
        out.field("image", payload.image()).field("working_dir", payload.workingDir());
        if (!payload.attachment().isEmpty()) {
            out.field("attachment", payload.attachment());
        }
    }

    private void times(Job job) {
        Run run = runOf(job);
        Instant started = job.phase().startedAt();
        Instant ended = job.phase() instanceof Phase.Ended over ? over.over() : null;
        out.field("submitted_at", job.submitted());
        out.field("scheduled_at", run == null ? null : run.placed());
        out.field("started_at", started).field("completed_at", ended);
        out.field("created_at", job.submitted()).field("updated_at", updated(job));
        if (job.spec().runtimeExpectation().isKnown()) {
            out.field(
                    "estimated_duration", job.spec().runtimeExpectation().usual().toMillis() / 1e3);
        } else {
            out.empty("estimated_duration");
        }
        out.empty("prediction_confidence").empty("gpu_utilization");
        if (started != null && ended != null) {
            out.field("actual_duration", Duration.between(started, ended).toMillis() / 1000.0);
        } else {
            out.empty("actual_duration");
        }
        if (job.phase() instanceof Phase.Ended over && over.outcome().exitCode() >= 0) {
            out.field("exit_code", over.outcome().exitCode());
        } else {
            out.empty("exit_code");
        }
    }

    /// Since when a running job uses none of its GPUs; null while it does.
    void idle(Job job) {
        out.field("idle_since", view.idle().get(job.id()));
    }

    /// Where the job runs or ran: `node_name` and `allocated_gpus`.
    void places(Job job) {
        Run run = runOf(job);
        if (run == null) {
            out.field("node_name", "").empty("allocated_gpus");
            return;
        }
        var nodes = new LinkedHashSet<String>();
        run.on().slots().forEach(slot -> nodes.add(slot.node().name()));
        out.field("node_name", String.join(",", nodes));
        out.name("allocated_gpus");
        gpus(run.on());
    }

    private void gpus(Placement on) {
        out.array();
        for (Slot slot : on.slots()) {
            if (slot.grant() instanceof Grant.Slices slices) {
                slices.at().forEach(at -> out.value(slot.node().name() + ":" + at.shown()));
                continue;
            }
            for (long rest = slot.grant().mask(); rest != 0; rest &= rest - 1) {
                out.value(slot.node().name() + ":" + Long.numberOfTrailingZeros(rest));
            }
        }
        out.endArray();
    }

    private static @Nullable Run runOf(Job job) {
        return job.phase() instanceof Phase.Ended over ? over.last() : job.phase().run();
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
}
