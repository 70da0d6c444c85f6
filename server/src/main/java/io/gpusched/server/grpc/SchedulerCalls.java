package io.gpusched.server.grpc;

import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.auth.Authenticator;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.auth.RateLimit;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.intake.IntakeResult;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.policy.PolicyControl;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.JobPage;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.ReasonSource;
import io.gpusched.server.view.StartTimes;
import io.gpusched.server.view.StateReasons;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;
import io.gpusched.wire.proto.scheduler.CancelJobRequest;
import io.gpusched.wire.proto.scheduler.CancelJobResponse;
import io.gpusched.wire.proto.scheduler.GetClusterStatusRequest;
import io.gpusched.wire.proto.scheduler.GetClusterStatusResponse;
import io.gpusched.wire.proto.scheduler.GetJobStatusRequest;
import io.gpusched.wire.proto.scheduler.GetJobStatusResponse;
import io.gpusched.wire.proto.scheduler.GetMetricsRequest;
import io.gpusched.wire.proto.scheduler.GetMetricsResponse;
import io.gpusched.wire.proto.scheduler.GetPolicyRequest;
import io.gpusched.wire.proto.scheduler.GetPolicyResponse;
import io.gpusched.wire.proto.scheduler.ListJobsRequest;
import io.gpusched.wire.proto.scheduler.ListJobsResponse;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc;
import io.gpusched.wire.proto.scheduler.SetPolicyRequest;
import io.gpusched.wire.proto.scheduler.SetPolicyResponse;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;
import io.gpusched.wire.proto.scheduler.SubmitJobResponse;
import io.gpusched.wire.proto.scheduler.UpdateTenantQuotaRequest;
import io.gpusched.wire.proto.scheduler.UpdateTenantQuotaResponse;
import io.gpusched.wire.request.GrpcRequests;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// The gRPC service `scheduler.SchedulerService`. Each call does the same as its counterpart in the
/// REST API.
public final class SchedulerCalls extends SchedulerServiceGrpc.SchedulerServiceImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerCalls.class);
    private static final int USUAL_PAGE = 50;
    private static final int LARGEST_PAGE = 1000;

    private final CommandGateway commandGateway;
    private final Follower follower;
    private final JobIntake jobs;
    private final TenantIntake tenants;
    private final ClusterMeters meters;
    private final int mostBytes;
    private final ReasonSource reasonSource;
    private final CallerTexts callerTexts;
    private final PolicyControl policyControl;
    private final PolicySettings policySettings;
    private final InstantSource clock;

    /// @param mostBytes largest size of a submission
    public SchedulerCalls(
            CommandGateway commandGateway,
            Follower follower,
            JobIntake jobs,
            TenantIntake tenants,
            ClusterMeters meters,
            int mostBytes,
            StartTimes startTimes,
            PastJobs pastJobs,
            PolicyControl policyControl,
            PolicySettings policySettings,
            InstantSource clock) {
        this.commandGateway = commandGateway;
        this.follower = follower;
        this.jobs = jobs;
        this.tenants = tenants;
        this.meters = meters;
        this.mostBytes = mostBytes;
        this.reasonSource =
                new ReasonSource(follower::view, follower.latestTurns(), startTimes, clock);
        this.callerTexts = new CallerTexts(follower::view, pastJobs);
        this.policyControl = policyControl;
        this.policySettings = policySettings;
        this.clock = clock;
    }

    /// The service, with authentication and rate limit.
    public ServerServiceDefinition service(Authenticator authenticator, RateLimit rate) {
        return ServerInterceptors.intercept(this, new CallerCheck(authenticator, rate));
    }

    @Override
    public void submitJob(SubmitJobRequest request, StreamObserver<SubmitJobResponse> out) {
        answer(
                out,
                () -> {
                    if (request.getSerializedSize() > mostBytes) {
                        throw Status.RESOURCE_EXHAUSTED
                                .withDescription(
                                        "a request has at most "
                                                + mostBytes
                                                + " bytes: see api.max_request_kb")
                                .asRuntimeException();
                    }
                    var accepted =
                            accepted(
                                    jobs.submit(
                                            GrpcRequests.body(request),
                                            caller(),
                                            request.getIdempotencyKey(),
                                            GrpcRequests.inOrder(request)));
                    return SubmitJobResponse.newBuilder()
                            .setJobId(accepted.what().toString())
                            .setStatus("submitted")
                            .setMessage("Job submitted successfully")
                            .setQueuePosition(JobMessages.quickPosition(accepted.what(), view()))
                            .addAllWarnings(accepted.warnings())
                            .build();
                });
    }

    @Override
    public void updateTenantQuota(
            UpdateTenantQuotaRequest request, StreamObserver<UpdateTenantQuotaResponse> out) {
        answer(
                out,
                () -> {
                    checkAdmin();
                    accepted(
                            tenants.change(
                                    GrpcRequests.body(request),
                                    () -> existing(request.getTenantId()),
                                    caller()));
                    return UpdateTenantQuotaResponse.newBuilder()
                            .setSuccess(true)
                            .setMessage("Quota updated")
                            .build();
                });
    }

    private Tenant existing(String id) {
        TenantRow row = id.isEmpty() ? null : view().tenants().row(new TenantId(id));
        if (row == null) {
            throw noTenant(id);
        }
        return row.tenant();
    }

    @Override
    public void cancelJob(CancelJobRequest request, StreamObserver<CancelJobResponse> out) {
        answer(
                out,
                () -> {
                    Job job = job(request.getJobId());
                    run(new Command.Cancel(job.id(), caller().label()));
                    return CancelJobResponse.newBuilder()
                            .setSuccess(true)
                            .setMessage("Job cancelled successfully")
                            .build();
                });
    }

    @Override
    public void getJobStatus(
            GetJobStatusRequest request, StreamObserver<GetJobStatusResponse> out) {
        answer(
                out,
                () -> {
                    Job job = job(request.getJobId());
                    StateReasons reasons = reasonSource.now();
                    return JobMessages.status(
                            job, reasons, wait(reasons.starts().of(job)), callerTexts.of(caller()));
                });
    }

    private @Nullable Duration wait(@Nullable StartEstimate startEstimate) {
        if (startEstimate == null || startEstimate.middle() == null) {
            return null;
        }
        Duration wait = Duration.between(clock.instant(), startEstimate.middle());
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    @Override
    public void listJobs(ListJobsRequest request, StreamObserver<ListJobsResponse> out) {
        answer(
                out,
                () -> {
                    StateReasons reasons = reasonSource.now();
                    int limit = request.hasLimit() ? request.getLimit() : USUAL_PAGE;
                    checkPage(limit, request.getOffset());
                    var wanted =
                            new JobPage.Filter(
                                    tenant(request.getTenantId()), states(request.getState()));
                    JobPage jobPage =
                            JobPage.of(reasons.view(), wanted, limit, request.getOffset());
                    var jobs = ListJobsResponse.newBuilder().setTotal(jobPage.total());
                    UnaryOperator<String> readable = callerTexts.of(caller());
                    jobPage.page()
                            .forEach(job -> jobs.addJobs(JobMessages.job(job, reasons, readable)));
                    return jobs.build();
                });
    }

    private static void checkPage(int limit, int offset) {
        if (limit < 0 || limit > LARGEST_PAGE) {
            throw invalid(
                    "limit",
                    "expected 0 to " + LARGEST_PAGE + ", found " + limit,
                    "the nearest is " + (limit < 0 ? 0 : LARGEST_PAGE));
        }
        if (offset < 0) {
            throw invalid("offset", "expected 0 or more, found " + offset, "the nearest is 0");
        }
    }

    @Override
    public void getClusterStatus(
            GetClusterStatusRequest request, StreamObserver<GetClusterStatusResponse> out) {
        answer(
                out,
                () ->
                        ClusterMessages.status(
                                view(),
                                caller() instanceof Caller.Member member ? member.tenant() : null));
    }

    @Override
    public void getMetrics(GetMetricsRequest request, StreamObserver<GetMetricsResponse> out) {
        answer(
                out,
                () -> {
                    checkAdmin();
                    return ClusterMessages.metrics(meters.text());
                });
    }

    @Override
    public void getPolicy(GetPolicyRequest request, StreamObserver<GetPolicyResponse> out) {
        answer(
                out,
                () ->
                        GetPolicyResponse.newBuilder()
                                .setPolicy(PolicyMessages.of(policyControl))
                                .addAllPolicies(Policies.names(policySettings))
                                .build());
    }

    @Override
    public void setPolicy(SetPolicyRequest request, StreamObserver<SetPolicyResponse> out) {
        answer(
                out,
                () -> {
                    checkAdmin();
                    var command =
                            new Command.SetPolicy(
                                    request.getPolicy(),
                                    caller().label(),
                                    request.getReason(),
                                    PolicyCause.COMMAND);
                    boolean changed = !run(command).events().isEmpty();
                    return SetPolicyResponse.newBuilder()
                            .setPolicy(PolicyMessages.of(policyControl))
                            .setChanged(changed)
                            .build();
                });
    }

    private static void checkAdmin() {
        if (!caller().isAdmin()) {
            throw Status.PERMISSION_DENIED
                    .withDescription("this call needs an administrator's token")
                    .asRuntimeException();
        }
    }

    private static <T> IntakeResult.Accepted<T> accepted(IntakeResult<T> intakeResult) {
        return switch (intakeResult) {
            case IntakeResult.Accepted<T> accepted -> accepted;
            case IntakeResult.Refused<T> refused -> throw GrpcRefusals.of(refused.problems());
        };
    }

    private View view() {
        return follower.view();
    }

    private static Caller caller() {
        return Objects.requireNonNull(CallerCheck.CALLER.get());
    }

    private Job job(String text) {
        JobId id = JobId.parse(text);
        Job job = id == null ? null : view().job(id);
        if (job == null || !caller().mayTouch(job.tenant())) {
            throw refused(
                    Problem.Code.UNKNOWN_JOB, "job_id", "there is no job " + text, "list the jobs");
        }
        return job;
    }

    private static @Nullable TenantId tenant(String name) {
        if (caller() instanceof Caller.Member member) {
            if (!name.isEmpty() && !name.equals(member.tenant().name())) {
                throw noTenant(name);
            }
            return member.tenant();
        }
        return name.isEmpty() ? null : new TenantId(name);
    }

    private static Set<PublicState> states(String text) {
        return PublicState.parseList(
                text,
                name ->
                        invalid(
                                "state",
                                "there is no state " + name,
                                "write one or more of "
                                        + Arrays.toString(PublicState.values())
                                        + ", separated by commas"));
    }

    private static StatusRuntimeException invalid(String field, String message, String hint) {
        return refused(Problem.Code.INVALID, field, message, hint);
    }

    private static StatusRuntimeException noTenant(String name) {
        return refused(
                Problem.Code.UNKNOWN_TENANT,
                "tenant_id",
                "there is no tenant " + name,
                "leave it out, or name one that exists");
    }

    private static StatusRuntimeException refused(
            Problem.Code code, String field, String message, String hint) {
        return GrpcRefusals.of(List.of(new Problem(code, field, message, hint)));
    }

    private Answer.Accepted run(Command command) {
        return switch (commandGateway.ask(command)) {
            case Answer.Accepted accepted -> accepted;
            case Answer.Rejected rejected -> throw GrpcRefusals.of(rejected.problems());
        };
    }

    private static <T> void answer(StreamObserver<T> out, Supplier<T> make) {
        try {
            out.onNext(make.get());
            out.onCompleted();
        } catch (StatusRuntimeException e) {
            out.onError(e);
        } catch (CellUnavailable e) {
            out.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException());
        } catch (RuntimeException e) {
            LOG.error("a call failed", e);
            out.onError(
                    Status.INTERNAL.withDescription("see the server's log").asRuntimeException());
        }
    }
}
