package io.gpusched.server.http;

import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.server.idle.IdleRow;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// `GET /api/v1/idle`: jobs that hold GPUs without using them, since when, the wasted GPU time, and
/// what the scheduler will do. The largest waste comes first.
final class IdleHandler {
    private static final double HOUR = Duration.ofHours(1).toMillis();

    /// A job with tasks that do not use GPUs.
    ///
    /// @param all since when it uses none of its GPUs; null while it uses some
    private record IdleJob(Job job, List<IdleRow> rows, @Nullable Instant all) {
        double idleGpus() {
            return rows.stream().mapToLong(IdleRow::idle).sum() / 1000.0;
        }

        double wastedHours() {
            return rows.stream().mapToLong(IdleRow::wastedMillis).sum() / HOUR;
        }

        Instant since() {
            return all == null
                    ? rows.stream().map(IdleRow::since).min(Comparator.naturalOrder()).orElseThrow()
                    : all;
        }
    }

    private final IdleWatch watch;
    private final Supplier<View> views;
    private final InstantSource clock;

    IdleHandler(IdleWatch watch, Supplier<View> views, InstantSource clock) {
        this.watch = watch;
        this.views = views;
        this.clock = clock;
    }

    Response show(Request request) {
        Instant now = clock.instant();
        IdleRules rules = watch.rules();
        List<IdleJob> idleJobs = idleJobs(request, now);
        var out = new JsonOutput(1 << 12).object();
        out.field("threshold_percent", rules.threshold());
        out.field("after_seconds", rules.after().toSeconds());
        out.field("reclaim", rules.reclaims());
        out.field("grace_seconds", rules.grace().toSeconds());
        out.field("idle_gpus", idleJobs.stream().mapToDouble(IdleJob::idleGpus).sum());
        out.field("wasted_gpu_hours", idleJobs.stream().mapToDouble(IdleJob::wastedHours).sum());
        out.name("jobs").array();
        idleJobs.forEach(idleJob -> write(idleJob, now, out));
        return Response.ok(out.endArray().field("total", idleJobs.size()).endObject());
    }

    private List<IdleJob> idleJobs(Request request, Instant now) {
        View view = views.get();
        var idleJobs = new ArrayList<IdleJob>();
        for (Map.Entry<JobId, List<IdleRow>> entry : watch.rows(now).entrySet()) {
            Job job = view.job(entry.getKey());
            if (job != null && !job.ended() && request.caller().mayTouch(job.tenant())) {
                idleJobs.add(new IdleJob(job, entry.getValue(), view.idle().get(job.id())));
            }
        }
        idleJobs.sort(Comparator.comparingDouble(IdleJob::wastedHours).reversed());
        return idleJobs;
    }

    private void write(IdleJob idleJob, Instant now, JsonOutput out) {
        Job job = idleJob.job;
        out.object().field("job_id", job.id().toString()).field("name", job.spec().name());
        out.field("tenant_id", job.tenant().name()).field("priority", job.priority());
        out.field("attempt", idleJob.rows.getFirst().attempt().number());
        out.field("gpus", job.spec().milliGpus() / 1000.0).field("idle_gpus", idleJob.idleGpus());
        out.field("idle_since", idleJob.since());
        out.field("idle_seconds", Duration.between(idleJob.since(), now).toSeconds());
        out.field("utilization", utilization(idleJob.rows));
        out.field("wasted_gpu_hours", idleJob.wastedHours());
        places(idleJob.rows, out);
        action(idleJob, out);
        out.endObject();
    }

    /// The mean over the GPUs that are not used.
    private static double utilization(List<IdleRow> rows) {
        double sum = 0;
        int gpus = 0;
        for (IdleRow row : rows) {
            int count = Long.bitCount(row.gpus());
            sum += row.percent() * count;
            gpus += count;
        }
        return sum / gpus;
    }

    private static void places(List<IdleRow> rows, JsonOutput out) {
        var nodes = new LinkedHashSet<String>();
        rows.forEach(row -> nodes.add(row.node().name()));
        out.field("node_name", String.join(",", nodes));
        out.name("devices").array();
        for (IdleRow row : rows) {
            for (long rest = row.gpus(); rest != 0; rest &= rest - 1) {
                out.value(row.node().name() + ":" + Long.numberOfTrailingZeros(rest));
            }
        }
        out.endArray();
    }

    private void action(IdleJob idleJob, JsonOutput out) {
        IdleRules rules = watch.rules();
        Instant stops = null;
        String action = "none";
        String note;
        if (idleJob.job.phase() instanceof Phase.Stopping) {
            action = "stopping";
            note = "it is being stopped";
        } else if (idleJob.all == null) {
            note = "it uses its other GPUs; only jobs that use none are stopped";
        } else if (!rules.reclaims()) {
            note = "idle jobs are only reported here (scheduler.idle.reclaim is off)";
        } else if (!rules.mayStop(idleJob.job.spec())) {
            note = "its label " + IdleRules.LABEL + "=" + IdleRules.KEEP + " keeps it";
        } else {
            action = "stop";
            stops = idleJob.all.plus(rules.patience());
            note = "it is stopped unless it uses a GPU before then";
        }
        out.field("action", action).field("stops_at", stops).field("note", note);
    }
}
