package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.outlook.Start;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.view.Listing;
import io.gpusched.server.view.Past;
import io.gpusched.server.view.Positions;
import io.gpusched.server.view.Reasons;
import io.gpusched.server.view.Setbacks;
import io.gpusched.server.view.Shown;
import io.gpusched.server.view.Starts;
import io.gpusched.server.view.Tries;
import io.gpusched.server.view.View;
import io.gpusched.wire.request.Tree;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// `/api/v1/jobs` apart from submitting: looking at jobs, and changing what becomes of them.
final class JobPages {
    private static final long USUAL_PAGE = 50;
    private static final long LARGEST_PAGE = 1000;

    private static final int MOST_PRIORITY = 1_000_000;

    private final Supplier<View> views;
    private final Lookups lookups;
    private final Tries tries;
    private final Starts starts;
    private final InstantSource clock;
    private final Past past;
    private final Bodies bodies;
    private final Commands commands;
    private final JobIntake intake;

    JobPages(
            Supplier<View> views,
            Lookups lookups,
            Tries tries,
            Past past,
            Starts starts,
            InstantSource clock,
            Bodies bodies,
            Commands commands,
            JobIntake intake) {
        this.views = views;
        this.starts = starts;
        this.clock = clock;
        this.lookups = lookups;
        this.tries = tries;
        this.past = past;
        this.bodies = bodies;
        this.commands = commands;
        this.intake = intake;
    }

    Reply list(Asked asked) {
        long limit = asked.number("limit", USUAL_PAGE, 0, LARGEST_PAGE);
        long offset = asked.number("offset", 0, 0, Long.MAX_VALUE);
        var wanted = new Listing.Wanted(tenant(asked), state(asked), asked.flag("active"));
        View view = views.get();
        Listing listing =
                asked.flag("history")
                        ? past.list(wanted, before(asked), (int) limit)
                        : Listing.of(view, wanted, limit, offset);
        if (listing.total() == 0) {
            checkTenant(wanted.tenant(), view);
        }
        var out = new JsonOut(1 << 14).object().name("jobs").array();
        var json = new JobJson(out, view, Positions.of(listing.page(), view), starts, tries);
        listing.page().forEach(json::write);
        return Reply.ok(out.endArray().field("total", listing.total()).endObject());
    }

    Reply show(Asked asked) {
        Job job = lookups.whole(asked);
        View view = views.get();
        Map<JobId, Long> positions = Positions.of(List.of(job), view);
        var out = new JsonOut(1 << 11).object();
        new JobJson(out, view, positions, starts, tries).fields(job);
        out.field("message", message(job, view, positions));
        out.field("last_failure", Setbacks.last(job, past));
        estimatedWait(job, out);
        out.field("logs", "").empty("metrics");
        return Reply.ok(out.endObject());
    }

    /// Seconds from now, and the range that holds eight of ten starts.
    private void estimatedWait(Job job, JsonOut out) {
        Start start = job.waiting() ? starts.of(job.id()) : null;
        if (start == null || start.middle() == null) {
            out.empty("estimated_wait").empty("estimated_wait_range");
            return;
        }
        wait("estimated_wait", start.middle(), out);
        out.name("estimated_wait_range").object();
        wait("p10", start.early(), out);
        wait("p50", start.middle(), out);
        wait("p90", start.late(), out);
        out.endObject();
    }

    private void wait(String name, @Nullable Instant until, JsonOut out) {
        if (until == null) {
            out.empty(name);
        } else {
            long seconds = Duration.between(clock.instant(), until).toSeconds();
            out.field(name, Math.max(0, seconds));
        }
    }

    Reply cancel(Asked asked) {
        commands.run(new Command.Cancel(idOf(asked), asked.caller().label()));
        return Reply.message("Job cancelled successfully");
    }

    /// Only the priority can be changed; the rest of a job is as it was submitted.
    Reply change(Asked asked) {
        Job job = lookups.present(asked);
        Tree priority = bodies.object(asked).entries().get("priority");
        if (!(priority instanceof Tree.Whole(long points)) || Math.abs(points) > MOST_PRIORITY) {
            throw Fault.invalid(
                    "priority",
                    "priority is " + (priority == null ? "missing" : priority.shown()),
                    "write a whole number from -%d to %d".formatted(MOST_PRIORITY, MOST_PRIORITY));
        }
        int wanted = Math.toIntExact(points);
        commands.taken(() -> intake.reprioritise(job, wanted, asked.caller()));
        return show(asked);
    }

    Reply hold(Asked asked) {
        commands.run(new Command.Hold(idOf(asked), asked.caller().label()));
        return show(asked);
    }

    Reply release(Asked asked) {
        commands.run(new Command.Release(idOf(asked), asked.caller().label()));
        return show(asked);
    }

    private JobId idOf(Asked asked) {
        return lookups.present(asked).id();
    }

    private String message(Job job, View view, Map<JobId, Long> positions) {
        String reason = Reasons.of(job, view, tries);
        if (!job.waiting() || !reason.isEmpty()) {
            return reason;
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

    /// Where a page of the history begins: only jobs before this one; 0 for the newest.
    private static long before(Asked asked) {
        String text = asked.query("before");
        JobId id = text.isEmpty() ? null : JobId.parse(text);
        if (!text.isEmpty() && id == null) {
            throw Fault.invalid(
                    "before",
                    "before is \"" + text + "\"",
                    "write the id of the last job of the page before, such as job-1234");
        }
        return id == null ? 0 : id.number();
    }

    /// A tenant that was removed may have left jobs; an unknown one without any is a typing error.
    private static void checkTenant(@Nullable TenantId tenant, View view) {
        if (tenant != null && view.tenants().row(tenant) == null) {
            throw Fault.unknown("tenant", tenant.name(), "/api/v1/tenants");
        }
    }

    /// A member sees its own jobs whatever it asks for; others' do not exist.
    private static @Nullable TenantId tenant(Asked asked) {
        String name = asked.query("tenant_id");
        if (asked.caller() instanceof Caller.Member member) {
            if (!name.isEmpty() && !name.equals(member.tenant().name())) {
                throw Fault.unknown("tenant", name, "/api/v1/tenants");
            }
            return member.tenant();
        }
        return name.isEmpty() ? null : new TenantId(name);
    }

    private static @Nullable Shown state(Asked asked) {
        String text = asked.query("state").isEmpty() ? asked.query("status") : asked.query("state");
        if (text.isEmpty()) {
            return null;
        }
        Shown state = Shown.parse(text);
        if (state == null) {
            throw Fault.invalid(
                    "state",
                    "state is \"" + text + "\"",
                    "write one of " + Arrays.toString(Shown.values()));
        }
        return state;
    }
}
