package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.server.agents.LogSource;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.view.ReasonSource;
import io.gpusched.server.view.StartTimes;

import java.util.List;

/// Routes under `/api/v1/jobs`: submit, list, show, change and cancel jobs, and read their history
/// and logs.
public final class JobRoutes {
    private JobRoutes() {}

    public static List<Route> of(
            HandlerContext context, JobIntake intake, StartTimes startTimes, LogSource logSource) {
        var reasons =
                new ReasonSource(
                        context.views, context.follower.latestTurns(), startTimes, context.clock);
        var submission =
                new SubmissionHandler(
                        intake,
                        context.bodies,
                        context.sender,
                        context.follower,
                        reasons,
                        context.callerTexts,
                        context.clock);
        var jobs =
                new JobHandlers(
                        reasons,
                        context.lookups,
                        context.pastJobs,
                        context.callerTexts,
                        context.clock,
                        context.bodies,
                        context.sender,
                        intake);
        var history =
                new JobHistoryHandlers(
                        context.follower,
                        context.pastJobs,
                        context.lookups,
                        reasons,
                        context.callerTexts,
                        context.clock);
        var logs = new JobLogHandler(context.lookups, context.pastJobs, logSource);
        return List.of(
                new Route("POST", "/api/v1/jobs", MEMBERS, submission::submit),
                new Route("GET", "/api/v1/jobs", MEMBERS, jobs::list),
                new Route("GET", "/api/v1/jobs/{id}", MEMBERS, jobs::show),
                new Route("DELETE", "/api/v1/jobs/{id}", MEMBERS, jobs::cancel),
                new Route("PATCH", "/api/v1/jobs/{id}", MEMBERS, jobs::change),
                new Route("POST", "/api/v1/jobs/{id}/hold", MEMBERS, jobs::hold),
                new Route("POST", "/api/v1/jobs/{id}/release", MEMBERS, jobs::release),
                new Route("GET", "/api/v1/jobs/{id}/explain", MEMBERS, history::explain),
                new Route("GET", "/api/v1/jobs/{id}/events", MEMBERS, history::events),
                new Route("GET", "/api/v1/jobs/{id}/logs", MEMBERS, logs::show));
    }
}
