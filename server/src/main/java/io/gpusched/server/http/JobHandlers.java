package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.JobPage;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.QueueIndex;
import io.gpusched.server.view.QueuePositions;
import io.gpusched.server.view.ReasonSource;
import io.gpusched.server.view.RequeueText;
import io.gpusched.server.view.StateReasons;
import io.gpusched.server.view.View;
import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// `/api/v1/jobs` apart from submission: list, show, cancel, hold, release and reprioritise jobs.
final class JobHandlers {
    private static final long USUAL_PAGE = 50;
    private static final long LARGEST_PAGE = 1000;

    private static final int MOST_PRIORITY = 1_000_000;

    /// The states of jobs that are in the queue.
    private static final Set<PublicState> QUEUED =
            EnumSet.of(PublicState.PENDING, PublicState.PREEMPTED);

    private final ReasonSource reasonSource;
    private final Lookups lookups;
    private final InstantSource clock;
    private final PastJobs pastJobs;
    private final CallerTexts callerTexts;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;
    private final JobIntake intake;
    private final QueueIndex.Latest queueIndexes = new QueueIndex.Latest();

    JobHandlers(
            ReasonSource reasonSource,
            Lookups lookups,
            PastJobs pastJobs,
            CallerTexts callerTexts,
            InstantSource clock,
            RequestBodies requestBodies,
            CommandSender commandSender,
            JobIntake intake) {
        this.reasonSource = reasonSource;
        this.clock = clock;
        this.lookups = lookups;
        this.pastJobs = pastJobs;
        this.callerTexts = callerTexts;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
        this.intake = intake;
    }

    Response list(Request request) {
        long limit = request.number("limit", USUAL_PAGE, 0, LARGEST_PAGE);
        long offset = request.number("offset", 0, 0, Long.MAX_VALUE);
        var wanted = new JobPage.Filter(tenant(request), states(request), request.query("name"));
        StateReasons reasons = reasonSource.now();
        View view = reasons.view();
        JobPage jobPage;
        if (byPosition(request)) {
            JobPage.Filter queued = onlyQueued(wanted, request);
            jobPage = JobPage.inQueueOrder(queueIndexes.of(view), queued, limit, offset);
        } else if (request.flag("history")) {
            jobPage = pastJobs.list(anyName(wanted), before(request), (int) limit);
        } else {
            jobPage = JobPage.of(view, wanted, limit, offset);
        }
        if (jobPage.total() == 0) {
            checkTenant(wanted.tenant(), view);
        }
        var out = new JsonOutput(1 << 14).object().name("jobs").array();
        UnaryOperator<String> readable = callerTexts.of(request.caller());
        var json = new JobJson(out, QueuePositions.of(jobPage.page(), view), reasons, readable);
        jobPage.page().forEach(json::write);
        return Response.ok(out.endArray().field("total", jobPage.total()).endObject());
    }

    Response show(Request request) {
        Job job = lookups.whole(request);
        StateReasons reasons = reasonSource.now();
        View view = reasons.view();
        Map<JobId, Long> positions = QueuePositions.of(List.of(job), view);
        var out = new JsonOutput(1 << 11).object();
        UnaryOperator<String> readable = callerTexts.of(request.caller());
        new JobJson(out, positions, reasons, readable).fields(job);
        out.field("message", readable.apply(message(job, reasons, positions)));
        out.field("last_failure", readable.apply(RequeueText.last(job, pastJobs)));
        estimatedWait(reasons.starts().of(job), out);
        out.field("logs", "").empty("metrics");
        return Response.ok(out.endObject());
    }

    /// The estimated wait in seconds from now, and the range that contains eight of ten starts.
    private void estimatedWait(@Nullable StartEstimate startEstimate, JsonOutput out) {
        if (startEstimate == null || startEstimate.middle() == null) {
            out.empty("estimated_wait").empty("estimated_wait_range");
            return;
        }
        wait("estimated_wait", startEstimate.middle(), out);
        out.name("estimated_wait_range").object();
        wait("p10", startEstimate.early(), out);
        wait("p50", startEstimate.middle(), out);
        wait("p90", startEstimate.late(), out);
        out.endObject();
    }

    private void wait(String name, @Nullable Instant until, JsonOutput out) {
        if (until == null) {
            out.empty(name);
        } else {
            long seconds = Duration.between(clock.instant(), until).toSeconds();
            out.field(name, Math.max(0, seconds));
        }
    }

    Response cancel(Request request) {
        commandSender.run(new Command.Cancel(idOf(request), request.caller().label()));
        return Response.message("Job cancelled successfully");
    }

    /// Only the priority can be changed; the rest of a job is as it was submitted.
    Response change(Request request) {
        Job job = lookups.present(request);
        JsonTree priority = requestBodies.object(request).entries().get("priority");
        if (!(priority instanceof JsonTree.Whole(long points))
                || Math.abs(points) > MOST_PRIORITY) {
            throw HttpError.invalid(
                    "priority",
                    "priority is " + (priority == null ? "missing" : priority.shown()),
                    "write a whole number from -%d to %d".formatted(MOST_PRIORITY, MOST_PRIORITY));
        }
        int wanted = Math.toIntExact(points);
        commandSender.accepted(() -> intake.reprioritise(job, wanted, request.caller()));
        return show(request);
    }

    Response hold(Request request) {
        commandSender.run(new Command.Hold(idOf(request), request.caller().label()));
        return show(request);
    }

    Response release(Request request) {
        commandSender.run(new Command.Release(idOf(request), request.caller().label()));
        return show(request);
    }

    private JobId idOf(Request request) {
        return lookups.present(request).id();
    }

    private static String message(Job job, StateReasons reasons, Map<JobId, Long> positions) {
        View view = reasons.view();
        String reason = reasons.of(job);
        if (!job.waiting() || !reason.isEmpty()) {
            return reason;
        }
        if (!view.model().isEmpty()) {
            return "waiting for its turn, which model " + view.model() + " decides";
        }
        long ahead = positions.getOrDefault(job.id(), 1L) - 1;
        if (ahead == 0) {
            return view.byTenant() ? "next of its tenant" : "next in line";
        }
        return "waiting behind "
                + ahead
                + (ahead == 1 ? " job" : " jobs")
                + (view.byTenant() ? " of its tenant" : "");
    }

    /// The query parameter `before`: a page of the history lists only jobs before this one; 0 for
    /// the newest.
    private static long before(Request request) {
        String text = request.query("before");
        JobId id = text.isEmpty() ? null : JobId.parse(text);
        if (!text.isEmpty() && id == null) {
            throw HttpError.invalid(
                    "before",
                    "before is \"" + text + "\"",
                    "write the id of the last job of the page before, such as job-1234");
        }
        return id == null ? 0 : id.number();
    }

    /// The query parameter `sort`: whether the jobs are listed in the order of the queue.
    private static boolean byPosition(Request request) {
        return switch (request.query("sort")) {
            case "", "newest" -> false;
            case "position" -> true;
            default ->
                    throw HttpError.invalid(
                            "sort",
                            "sort is \"" + request.query("sort") + "\"",
                            "write newest or position");
        };
    }

    /// Only waiting jobs have a position. A request for others too would get a list that looks
    /// complete but is not.
    private static JobPage.Filter onlyQueued(JobPage.Filter wanted, Request request) {
        if (request.flag("history")) {
            throw HttpError.invalid(
                    "sort", "sort is position, with history", "leave out one of the two");
        }
        if (!wanted.anyState() && !QUEUED.containsAll(wanted.states())) {
            throw HttpError.invalid(
                    "state",
                    "sort is position, and state names jobs that do not wait",
                    "leave out state, or write pending, preempted or both");
        }
        Set<PublicState> states = wanted.anyState() ? QUEUED : wanted.states();
        return new JobPage.Filter(wanted.tenant(), states, wanted.name());
    }

    private static JobPage.Filter anyName(JobPage.Filter wanted) {
        if (!wanted.name().isEmpty()) {
            throw HttpError.invalid(
                    "name", "name is given, with history", "leave out one of the two");
        }
        return wanted;
    }

    /// Refuses a tenant that does not exist and has no jobs. A removed tenant may still have some.
    private static void checkTenant(@Nullable TenantId tenant, View view) {
        if (tenant != null && view.tenants().row(tenant) == null) {
            throw HttpError.unknown("tenant", tenant.name(), "/api/v1/tenants");
        }
    }

    /// The tenant whose jobs are listed. A tenant's token lists only that tenant's jobs.
    private static @Nullable TenantId tenant(Request request) {
        String name = request.query("tenant_id");
        if (request.caller() instanceof Caller.Member member) {
            if (!name.isEmpty() && !name.equals(member.tenant().name())) {
                throw HttpError.unknown("tenant", name, "/api/v1/tenants");
            }
            return member.tenant();
        }
        return name.isEmpty() ? null : new TenantId(name);
    }

    /// The states to list: `state` or its alias `status`, without ended states if `active` is set.
    private static Set<PublicState> states(Request request) {
        String text =
                request.list("state").isEmpty() ? request.list("status") : request.list("state");
        Set<PublicState> states =
                PublicState.parseList(
                        text,
                        name ->
                                HttpError.invalid(
                                        "state",
                                        "state is \"" + name + "\"",
                                        "write one or more of "
                                                + Arrays.toString(PublicState.values())
                                                + ", separated by commas"));
        if (request.flag("active")) {
            states.removeIf(PublicState::terminal);
        }
        return states;
    }
}
