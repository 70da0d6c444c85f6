package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;

import io.gpusched.wire.proto.scheduler.CancelJobRequest;
import io.gpusched.wire.proto.scheduler.GetClusterStatusRequest;
import io.gpusched.wire.proto.scheduler.GetJobStatusRequest;
import io.gpusched.wire.proto.scheduler.GetMetricsRequest;
import io.gpusched.wire.proto.scheduler.GetPolicyRequest;
import io.gpusched.wire.proto.scheduler.ListJobsRequest;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc;
import io.gpusched.wire.proto.scheduler.SchedulerServiceGrpc.SchedulerServiceBlockingStub;
import io.gpusched.wire.proto.scheduler.SetPolicyRequest;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;
import io.gpusched.wire.proto.scheduler.UpdateTenantQuotaRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Every call of the scheduler's gRPC service, against the real server.
@Timeout(60)
@SuppressWarnings("NullAway.Init")
final class GrpcTest {
    @TempDir Path dataDir;

    private Running rest;
    private ManagedChannel channel;
    private SchedulerServiceBlockingStub calls;

    @BeforeEach
    void start() {
        rest = Running.in(dataDir);
        channel =
                ManagedChannelBuilder.forAddress("127.0.0.1", rest.server().grpcPort())
                        .usePlaintext()
                        .build();
        calls = SchedulerServiceGrpc.newBlockingStub(channel);
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        rest.close();
    }

    @Test
    void aJobSubmittedByGrpcIsTheOneThatRestShows() {
        var submitted =
                calls.submitJob(
                        SubmitJobRequest.newBuilder()
                                .setName("by grpc")
                                .setGpuCount(2)
                                .addCommand("python")
                                .setMaxRuntime(Duration.newBuilder().setSeconds(600))
                                .build());

        assertThat(submitted.getJobId()).isEqualTo("job-1");
        assertThat(submitted.getStatus()).isEqualTo("submitted");
        assertThat(submitted.getQueuePosition()).isEqualTo(1);
        assertThat(rest.job("job-1").get("name").asText()).isEqualTo("by grpc");
        assertThat(rest.job("job-1").get("max_runtime").asInt()).isEqualTo(600);
        var status = calls.getJobStatus(GetJobStatusRequest.newBuilder().setJobId("job-1").build());
        assertThat(status.getState()).isEqualTo("pending");
        assertThat(status.getJob().getGpuCount()).isEqualTo(2);
        assertThat(status.getJob().hasStartedAt()).isFalse();
    }

    @Test
    void aRepeatedSubmissionIsTheSameInWhateverOrderItsMapsAreWritten() {
        var request = SubmitJobRequest.newBuilder().setName("again").setIdempotencyKey("k1");
        var first =
                calls.submitJob(request.clone().putLabels("a", "1").putLabels("b", "2").build());
        var again =
                calls.submitJob(request.clone().putLabels("b", "2").putLabels("a", "1").build());
        assertThat(again.getJobId()).isEqualTo(first.getJobId());
    }

    @Test
    void theLifeOfAJobIsShown() {
        var nodes = new FakeNodes(rest.server()).join("n1", 4);
        String id = rest.submit("{\"gpu_count\":2}");
        nodes.run(id);
        var running = calls.getJobStatus(GetJobStatusRequest.newBuilder().setJobId(id).build());
        assertThat(running.getState()).isEqualTo("running");
        assertThat(running.getAllocatedGpusList()).containsExactly("n1:0", "n1:1");
        assertThat(running.getNodeName()).isEqualTo("n1");
        assertThat(running.getQueuePosition()).isZero();
        nodes.end(id, 0);

        var list = calls.listJobs(ListJobsRequest.newBuilder().setState("completed").build());
        assertThat(list.getTotal()).isEqualTo(1);
        assertThat(list.getJobs(0).getExitCode()).isZero();
        assertThat(list.getJobs(0).hasCompletedAt()).isTrue();
    }

    @Test
    void onlyAnAdministratorReadsForWhichJobOfAnotherTenantAJobStops() {
        var nodes = new FakeNodes(rest.server()).join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"allow_preemption\":true}");
        String low = rest.submit("{\"tenant_id\":\"a\",\"gpu_count\":4}");
        nodes.run(low);
        String high = rest.submit("{\"gpu_count\":2,\"priority\":1000}");
        var status = GetJobStatusRequest.newBuilder().setJobId(low).build();
        var list = ListJobsRequest.newBuilder().setTenantId("a").build();
        Soon.that(
                "it stops",
                () -> calls.getJobStatus(status).getJob().getReason().startsWith("stopping"));
        assertThat(calls.getJobStatus(status).toString()).contains("made room for " + high);
        assertThat(calls.listJobs(list).toString()).contains("made room for " + high);

        var tenants = as(rest.post("/api/v1/tenants/a/tokens", "").field("token"));
        for (Object answer : List.of(tenants.getJobStatus(status), tenants.listJobs(list))) {
            assertThat(answer.toString()).contains("made room for another").doesNotContain(high);
        }
    }

    @Test
    void jobsAreCancelled() {
        String id = rest.submit("{}");
        var cancel = CancelJobRequest.newBuilder().setJobId(id).build();

        assertThat(calls.cancelJob(cancel).getSuccess()).isTrue();
        names("state: ", Status.Code.FAILED_PRECONDITION, () -> calls.cancelJob(cancel));
        names(
                "job_id: ",
                Status.Code.NOT_FOUND,
                () -> calls.cancelJob(CancelJobRequest.newBuilder().setJobId("job-9").build()));
    }

    @Test
    void quotasAreChangedInPart() {
        rest.post(
                "/api/v1/tenants",
                "{\"id\":\"a\",\"name\":\"A\",\"max_gpus\":1,\"max_cpu_cores\":2}");
        calls.updateTenantQuota(
                UpdateTenantQuotaRequest.newBuilder().setTenantId("a").setMaxGpus(0).build());

        var tenant = rest.get("/api/v1/tenants/a").json();
        assertThat(tenant.get("max_gpus").asInt()).isZero();
        assertThat(tenant.get("max_cpu_cores").asInt()).isEqualTo(2);
        refused(
                Status.Code.PERMISSION_DENIED,
                () -> calls.submitJob(SubmitJobRequest.newBuilder().setTenantId("a").build()));
        refused(
                Status.Code.NOT_FOUND,
                () ->
                        calls.updateTenantQuota(
                                UpdateTenantQuotaRequest.newBuilder().setTenantId("x").build()));
    }

    @Test
    void wrongRequestsAreRefusedWithTheFieldNamed() {
        names(
                "gpu_count: ",
                Status.Code.INVALID_ARGUMENT,
                () -> calls.submitJob(SubmitJobRequest.newBuilder().setGpuCount(-1).build()));
        names(
                "limit: ",
                Status.Code.INVALID_ARGUMENT,
                () -> calls.listJobs(ListJobsRequest.newBuilder().setLimit(5000).build()));
        names(
                "state: ",
                Status.Code.INVALID_ARGUMENT,
                () -> calls.listJobs(ListJobsRequest.newBuilder().setState("odd").build()));
        names(
                "tenant_id: ",
                Status.Code.NOT_FOUND,
                () -> calls.submitJob(SubmitJobRequest.newBuilder().setTenantId("x").build()));
    }

    @Test
    void theClusterStatusAndMetricsAreShown() {
        new FakeNodes(rest.server()).join("n1", 4);
        rest.submit("{}");

        var status = calls.getClusterStatus(GetClusterStatusRequest.getDefaultInstance());
        assertThat(status.getTotalGpus()).isEqualTo(4);
        assertThat(status.getAvailableGpus()).isEqualTo(3);
        assertThat(status.getRunningJobs()).isEqualTo(1);
        assertThat(status.getNodes(0).getId()).isEqualTo("n1");
        var metrics = calls.getMetrics(GetMetricsRequest.getDefaultInstance());
        assertThat(metrics.getValuesMap()).containsEntry("gpu_scheduler_queue_size", 0.0);
    }

    @Test
    void theHealthServiceAnswers() {
        var health =
                HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance());

        assertThat(health.getStatus()).isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void aTenantSeesOnlyItsOwnHereToo() {
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        String others = rest.submit("{}");
        var member = as(token);

        String own = member.submitJob(SubmitJobRequest.getDefaultInstance()).getJobId();
        assertThat(rest.job(own).get("tenant_id").asText()).isEqualTo("a");
        assertThat(member.listJobs(ListJobsRequest.getDefaultInstance()).getTotal()).isEqualTo(1);
        refused(
                Status.Code.NOT_FOUND,
                () ->
                        member.getJobStatus(
                                GetJobStatusRequest.newBuilder().setJobId(others).build()));
        refused(
                Status.Code.PERMISSION_DENIED,
                () -> member.getMetrics(GetMetricsRequest.getDefaultInstance()));
        rest.send("DELETE", "/api/v1/tenants/a/tokens", null, Map.of());
        refused(
                Status.Code.UNAUTHENTICATED,
                () -> member.listJobs(ListJobsRequest.getDefaultInstance()));
    }

    /// Asserts that the call is refused with a message that begins with the field.
    private static void names(String beginning, Status.Code code, Runnable call) {
        refused(code, call);
        assertThatThrownBy(call::run).hasMessageStartingWith(code + ": " + beginning);
    }

    private static void refused(Status.Code code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> {
                            assertThat(e.getStatus().getCode()).isEqualTo(code);
                            assertThat(e.getStatus().getDescription()).isNotEmpty();
                        });
    }

    @Test
    void thePolicyIsShownAndSet() {
        var before = calls.getPolicy(GetPolicyRequest.getDefaultInstance());
        assertThat(before.getPolicy().getName()).isEqualTo("priority");
        assertThat(before.getPolicy().hasSince()).isFalse();
        assertThat(before.getPoliciesList()).contains("fair", "sjf");

        var set =
                calls.setPolicy(
                        SetPolicyRequest.newBuilder().setPolicy("fair").setReason("why").build());

        assertThat(set.getChanged()).isTrue();
        assertThat(set.getPolicy().getName()).isEqualTo("fair");
        assertThat(set.getPolicy().getReason()).isEqualTo("why");
        assertThat(set.getPolicy().getCause()).isEqualTo("command");
        assertThat(set.getPolicy().getFallback()).isEqualTo("priority");
        assertThat(set.getPolicy().hasSince()).isTrue();
        assertThat(rest.get("/api/v1/policy").field("policy")).isEqualTo("fair");
        var again = calls.setPolicy(SetPolicyRequest.newBuilder().setPolicy("fair").build());
        assertThat(again.getChanged()).isFalse();
    }

    @Test
    void aReasonThatIsTooLongIsRefused() {
        var request =
                SetPolicyRequest.newBuilder().setPolicy("fair").setReason("x".repeat(1025)).build();
        assertThatThrownBy(() -> calls.setPolicy(request))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("INVALID_ARGUMENT")
                .hasMessageContaining("reason is 1025 characters long, at most 1024 fit");
    }

    @Test
    void anUnknownPolicyIsRefused() {
        assertThatThrownBy(
                        () ->
                                calls.setPolicy(
                                        SetPolicyRequest.newBuilder().setPolicy("fare").build()))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        refused -> {
                            assertThat(refused.getStatus().getCode())
                                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
                            assertThat(refused.getMessage()).contains("there is no policy fare");
                        });
    }

    private SchedulerServiceBlockingStub as(String token) {
        var headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + token);
        return calls.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }
}
