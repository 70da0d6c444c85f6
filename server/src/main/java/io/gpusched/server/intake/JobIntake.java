package io.gpusched.server.intake;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.explain.Preview;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.config.PriorityCaps;
import io.gpusched.server.config.SchedulerSection;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;
import io.gpusched.wire.request.Fingerprint;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/// Turns submissions and changes of priority into commands for the cell.
public final class JobIntake {
    private static final int LONGEST_KEY = 255;
    private static final String TENANT = "tenant_id";

    private final JobRequest requests = new JobRequest();
    private final SchedulerSection section;
    private final Supplier<View> views;
    private final CommandGateway commandGateway;

    public JobIntake(
            SchedulerSection section, Supplier<View> views, CommandGateway commandGateway) {
        this.section = section;
        this.views = views;
        this.commandGateway = commandGateway;
    }

    /// The command made of a request, and the warnings about the request.
    ///
    /// @param exceedsNodes whether a warning says that no node has what the job asks for
    private record Read(Command.Submit command, List<String> warnings, boolean exceedsNodes) {
        /// The warnings of the request and of the cell. The cell warns of too large requests too,
        /// but less exactly, so its warnings are left out if the request has such a warning.
        List<String> with(List<String> ofCell) {
            return exceedsNodes ? warnings : together(warnings, ofCell);
        }
    }

    /// Submits a job and waits until the submission is durable.
    ///
    /// @param key the idempotency key; empty for none
    /// @param bytes the request as received, to compare it with another one of the same key
    public IntakeResult<JobId> submit(
            JsonTree.Mapping body, Caller caller, String key, byte[] bytes) {
        return switch (read(body, caller, key, bytes)) {
            case IntakeResult.Refused<Read> refused ->
                    new IntakeResult.Refused<>(refused.problems(), refused.body());
            case IntakeResult.Accepted<Read> read -> submit(read.what());
        };
    }

    private IntakeResult<JobId> submit(Read read) {
        return switch (commandGateway.ask(read.command)) {
            case Answer.Rejected rejected -> new IntakeResult.Refused<>(rejected.problems());
            case Answer.Accepted accepted ->
                    new IntakeResult.Accepted<>(
                            Objects.requireNonNull(accepted.job()), read.with(accepted.warnings()));
        };
    }

    /// What [#submit] would answer, and what would happen to the job, without submitting it.
    ///
    /// @param asking previews a command
    public IntakeResult<Preview> preview(
            JsonTree.Mapping body,
            Caller caller,
            String key,
            byte[] bytes,
            Function<Command.Submit, Preview> asking) {
        return switch (read(body, caller, key, bytes)) {
            case IntakeResult.Refused<Read> refused ->
                    new IntakeResult.Refused<>(refused.problems(), refused.body());
            case IntakeResult.Accepted<Read> read -> {
                Preview seen = asking.apply(read.what().command);
                yield seen instanceof Preview.Refused(List<Problem> problems)
                        ? new IntakeResult.Refused<>(problems)
                        : new IntakeResult.Accepted<>(
                                seen,
                                read.what()
                                        .with(
                                                seen instanceof Preview.Accepted accepted
                                                        ? accepted.warnings()
                                                        : List.of()));
            }
        };
    }

    private IntakeResult<Read> read(
            JsonTree.Mapping body, Caller caller, String key, byte[] bytes) {
        if (key.length() > LONGEST_KEY) {
            return refused(
                    "Idempotency-Key",
                    "the key has " + key.length() + " characters",
                    "use at most " + LONGEST_KEY);
        }
        return switch (requests.read(ofCaller(body, caller), context())) {
            case Parsed.Invalid(var problems) -> new IntakeResult.Refused<>(problems, true);
            case Parsed.Valid(var submission, var warnings) ->
                    command(submission, warnings, caller, key, bytes);
        };
    }

    /// A job submitted with a tenant's token belongs to that tenant unless the request names one.
    static JsonTree.Mapping ofCaller(JsonTree.Mapping body, Caller caller) {
        JsonTree named = body.entries().getOrDefault(TENANT, new JsonTree.Nothing());
        if (!(caller instanceof Caller.Member member) || !(named instanceof JsonTree.Nothing)) {
            return body;
        }
        var entries = new LinkedHashMap<>(body.entries());
        entries.put(TENANT, new JsonTree.Text(member.tenant().name()));
        return new JsonTree.Mapping(entries);
    }

    private IntakeResult<Read> command(
            JobRequest.Submission submission,
            List<String> warnings,
            Caller caller,
            String key,
            byte[] bytes) {
        JobSpec spec = submission.spec();
        if (!caller.mayTouch(spec.tenant())) {
            return new IntakeResult.Refused<>(
                    List.of(
                            new Problem(
                                    Problem.Code.UNKNOWN_TENANT,
                                    TENANT,
                                    "tenant " + spec.tenant() + " does not exist",
                                    "leave " + TENANT + " out to use the token's own tenant")));
        }
        Problem beyond = beyondLimits(spec);
        if (beyond != null) {
            return new IntakeResult.Refused<>(List.of(beyond));
        }
        var command =
                new Command.Submit(
                        spec,
                        key.isEmpty() ? "" : spec.tenant() + "/" + key,
                        key.isEmpty() ? 0 : Fingerprint.of(bytes),
                        submission.held(),
                        caller.label());
        List<String> all = together(warnings, SubmissionWarnings.about(spec));
        List<String> lacking = SubmissionWarnings.lacking(spec, views.get().largestNode());
        boolean exceedsNodes = submission.exceedsNodes() || !lacking.isEmpty();
        return new IntakeResult.Accepted<>(
                new Read(command, together(all, lacking), exceedsNodes), List.of());
    }

    /// What a submission depends on.
    JobRequest.Context context() {
        return new JobRequest.Context(
                section.defaultPriority(), views.get().largestNode().gpus(), false);
    }

    /// The problem of a job that this server's settings do not allow; null when they do.
    @Nullable Problem beyondLimits(JobSpec spec) {
        Problem tooHigh = tooHigh(spec.tenant(), spec.priority());
        if (tooHigh == null && spec.tasks() > 1 && !section.gangs()) {
            return new Problem(
                    Problem.Code.INVALID,
                    "gang_scheduling",
                    "this server takes no jobs of several tasks",
                    "set scheduler.enable_gang_scheduling to true");
        }
        return tooHigh;
    }

    /// Changes the priority of a job that has not ended.
    public IntakeResult<JobId> reprioritise(Job job, int priority, Caller caller) {
        Problem tooHigh = tooHigh(job.tenant(), priority);
        if (tooHigh != null) {
            return new IntakeResult.Refused<>(List.of(tooHigh));
        }
        return switch (commandGateway.ask(
                new Command.Reprioritise(job.id(), priority, caller.label()))) {
            case Answer.Rejected rejected -> new IntakeResult.Refused<>(rejected.problems());
            case Answer.Accepted _ -> new IntakeResult.Accepted<>(job.id(), List.of());
        };
    }

    /// The problem of a priority above the limit of the tenant's tier; null when it is allowed.
    private @Nullable Problem tooHigh(TenantId id, int priority) {
        TenantRow row = views.get().tenants().row(id);
        if (row == null) {
            return null; // The cell refuses unknown tenants.
        }
        int cap = section.caps().of(row.tenant(), section.defaultPriority());
        if (priority <= cap) {
            return null;
        }
        String tier = PriorityCaps.tier(row.tenant());
        return new Problem(
                Problem.Code.INVALID,
                "priority",
                "priority %d is above %d, the highest for tenant %s of tier %s"
                        .formatted(priority, cap, id, tier),
                "use at most %d, or ask an administrator to raise the tenant's priority_tier or scheduler.priority_caps.%s"
                        .formatted(cap, tier));
    }

    private static List<String> together(List<String> some, List<String> others) {
        if (others.isEmpty()) {
            return some;
        }
        var all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private static <T> IntakeResult<T> refused(String field, String message, String hint) {
        return new IntakeResult.Refused<>(
                List.of(new Problem(Problem.Code.INVALID, field, message, hint)));
    }
}
