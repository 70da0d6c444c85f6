package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Toleration;
import io.gpusched.wire.proto.scheduler.SubmitJobRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;

final class JobRequestTest {
    private static final JobRequest.Context CONTEXT = new JobRequest.Context(100, 8, false);

    private final JobRequest requests = new JobRequest();

    @Test
    void anEmptyRequestGetsTheDefaults() {
        assertThat(valid("{}"))
                .isEqualTo(
                        JobSpec.builder(
                                        Tenant.DEFAULT,
                                        List.of(
                                                Role.of(
                                                        Shape.of(
                                                                GpuRequest.whole(1, 0),
                                                                Resources.cores(1, 0)),
                                                        1)))
                                .name("job")
                                .priority(100)
                                .limit(java.time.Duration.ZERO)
                                .build());
    }

    @Test
    void levelsToShareAreOneOrSeveral() {
        assertThat(valid("{\"near\": \"rack\"}").near())
                .containsExactly(new Proximity("rack", false));
        assertThat(valid("{\"within\": [\"zone\", \"block\"], \"near\": [\"rack\"]}").near())
                .containsExactly(
                        new Proximity("zone", true),
                        new Proximity("block", true),
                        new Proximity("rack", false));
    }

    @Test
    void everyFieldIsRead() {
        JobSpec spec =
                valid(
                        """
                        {"tenant_id": "team-a", "name": "train-17", "priority": 500, "gpu_count": 4,
                         "gpu_memory_mb": 16000, "cpu_cores": 8, "memory_mb": 32000,
                         "script": "nvidia-smi", "environment": {"B": "2", "A": 1}, "image": "",
                         "args": [], "max_runtime_minutes": 60, "gpu_model": ["A100-80GB", "H100"],
                         "node_selector": {"zone": "a"}, "working_dir": "/data",
                         "tolerations": [{"key": "k", "operator": "Exists", "effect": "NoSchedule"}],
                         "grace_seconds": 5, "checkpoint_enabled": true, "labels": {"team": "x"}}
                        """);
        assertThat(spec)
                .isEqualTo(
                        JobSpec.builder(
                                        new TenantId("team-a"),
                                        List.of(
                                                Role.of(
                                                        new Shape(
                                                                GpuRequest.whole(4, 16_000),
                                                                Resources.cores(8, 32_000),
                                                                List.of(
                                                                        new GpuModel(
                                                                                "A100", 81_920),
                                                                        new GpuModel("H100", 0)),
                                                                Labels.of("zone", "a"),
                                                                List.of(
                                                                        new Toleration(
                                                                                "k",
                                                                                true,
                                                                                "",
                                                                                "NoSchedule"))),
                                                        1)))
                                .name("train-17")
                                .priority(500)
                                .kind("train")
                                .limit(java.time.Duration.ofHours(1))
                                .onLoss(
                                        new Interruption(
                                                java.time.Duration.ofSeconds(5), true, true))
                                .payload(
                                        new Payload(
                                                "nvidia-smi",
                                                List.of(),
                                                List.of(),
                                                Labels.of("A", "1").with("B", "2"),
                                                "",
                                                "/data"))
                                .labels(Labels.of("team", "x"))
                                .build());
    }

    @ParameterizedTest
    @CsvSource({
        // gpu_count, largest node, tasks, GPUs of each
        "16, 8, 2, 8",
        "12, 8, 2, 6",
        "8, 8, 1, 8",
        "7, 8, 1, 7",
        "17, 8, 17, 1",
        "10, 8, 2, 5",
        "1024, 8, 128, 8",
        "16, 0, 2, 8",
        "16, 16, 1, 16",
        "0, 8, 1, 0",
        "9, 4, 3, 3"
    })
    void aGangIsSplitIntoTheLargestTasksThatFit(int gpus, int largest, int tasks, int each) {
        var result =
                requests.read(
                        tree("{\"gang_scheduling\": true, \"gpu_count\": " + gpus + "}"),
                        new JobRequest.Context(0, largest, false));
        Role role =
                ((Parsed.Valid<JobRequest.Submission, Problem>) result)
                        .value()
                        .spec()
                        .roles()
                        .getFirst();
        assertThat(role.min()).isEqualTo(tasks);
        assertThat(role.shape().gpus().devices()).isEqualTo(each);
    }

    @Test
    void tasksMayBeGiven() {
        JobSpec spec =
                valid("{\"gpu_count\": 8, \"tasks\": 4, \"cpu_cores\": 8, \"memory_mb\": 400}");
        Role role = spec.roles().getFirst();
        assertThat(role.min()).isEqualTo(4);
        assertThat(role.shape().gpus()).isEqualTo(GpuRequest.whole(2, 0));
        assertThat(role.shape().host()).isEqualTo(Resources.cores(2, 100));
    }

    @Test
    void moreThanTheLargestNodeWithoutAGangWaitsWithAWarning() {
        var result = read("{\"gpu_count\": 16}");
        assertThat(((Parsed.Valid<JobRequest.Submission, Problem>) result).warnings())
                .singleElement()
                .asString()
                .contains("16 GPUs", "largest node's 8", "gang_scheduling");
    }

    @Test
    void moreThanAnyNodeCanHaveNeedsAGang() {
        Problem problem = problems("{\"gpu_count\": 65}").getFirst();
        assertThat(problem.field()).isEqualTo("gpu_count");
        assertThat(problem.hint()).contains("gang_scheduling");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpu_count: -1",
                "gpu_count: 1.5",
                "gpu_count: 1e30",
                "gpu_count: \"2\"",
                "gpu_count: 99999999999999999999",
                "gpu_count: true",
                "gpu_count: [1]",
                "gpu_memory_mb: -1",
                "cpu_cores: 0.5",
                "memory_mb: -5",
                "priority: 1e9",
                "priority: {}",
                "tenant_id: 7",
                "name: [\"x\"]",
                "command: \"sh\"",
                "command: [\"sh\", 1]",
                "command: [\"\"]",
                "environment: [\"A=1\"]",
                "environment: {\"A=B\": \"1\"}",
                "environment: {\"A B\": \"1\"}",
                "environment: {\"1A\": \"1\"}",
                "environment: {\"A\": {}}",
                "args: 5",
                "max_runtime_minutes: -1",
                "max_runtime_minutes: 99999999999",
                "max_runtime_minutes: \"soon\"",
                "max_runtime_minutes: \"4000-00:00:00\"",
                "max_runtime_seconds: -1",
                "gang_scheduling: \"yes\"",
                "tasks: 0",
                "tasks: 3",
                "labels: \"x\"",
                "labels: {\"\": \"x\"}",
                "grace_seconds: 1e9",
                "checkpoint_enabled: 1",
                "node_selector: 3",
                "tolerations: {}",
                "tolerations: [3]",
                "tolerations: [{\"key\": \"k\", \"operator\": \"Like\"}]",
                "tolerations: [{\"key\": \"k\", \"effect\": \"Never\"}]",
                "gpu_model: 5",
                "gpu_model: [5]",
                "script: 1",
                "script: \"a\\u0000b\"",
                "held: \"no\""
            })
    void aWrongValueIsNamedWithAWayOut(String entry) {
        String field = entry.substring(0, entry.indexOf(':'));
        String json =
                "{\"gpu_count\": 4, \"" + field + "\"" + entry.substring(field.length()) + "}";
        json = field.equals("gpu_count") ? json.replace("\"gpu_count\": 4, ", "") : json;
        Problem problem = problems(json).getFirst();
        assertThat(problem.field()).startsWith(field);
        assertThat(problem.message()).isNotBlank();
        assertThat(problem.hint()).isNotBlank();
    }

    @Test
    void allProblemsAreReportedAtOnce() {
        assertThat(problems("{\"gpu_count\": -1, \"name\": 5, \"tolerations\": [{\"effect\": 1}]}"))
                .extracting(Problem::field)
                .containsExactlyInAnyOrder("gpu_count", "name", "tolerations[0].effect");
    }

    @Test
    void tooMuchIsRefused() {
        assertThat(problems("{\"name\": \"" + "x".repeat(300) + "\"}").getFirst().message())
                .isEqualTo("name is 300 characters long, at most 253 fit");
        var labels = new StringBuilder("{\"labels\": {");
        for (int i = 0; i < 65; i++) {
            labels.append(i == 0 ? "" : ",").append("\"k").append(i).append("\": \"v\"");
        }
        assertThat(problems(labels.append("}}").toString()).getFirst().message())
                .isEqualTo("labels has 65 entries, at most 64 fit");
    }

    @Test
    void unknownKeysAreIgnoredAndNamed() {
        var result =
                (Parsed.Valid<JobRequest.Submission, Problem>)
                        read("{\"gpu_cuont\": 4, \"zzz\": 1}");
        assertThat(result.warnings())
                .containsExactly(
                        "gpu_cuont is not known and was ignored; did you mean gpu_count?",
                        "zzz is not known and was ignored");
    }

    @Test
    void ignoredFieldsAreWarnedAbout() {
        var result =
                (Parsed.Valid<JobRequest.Submission, Problem>)
                        read("{\"image\": \"cuda\", \"script\": \"x\", \"command\": [\"y\"]}");
        assertThat(result.warnings())
                .anyMatch(w -> w.contains("image"))
                .anyMatch(w -> w.contains("script is ignored"));
        assertThat(result.value().spec().payload().image()).isEqualTo("cuda");
    }

    @Test
    void equalPartsAreKeptOnce() {
        String json = "{\"gpu_count\": 2, \"script\": \"x\", \"labels\": {\"a\": \"b\"}}";
        JobSpec one = valid(json);
        JobSpec two = valid(json);
        assertThat(one.roles()).isSameAs(two.roles());
        assertThat(one.payload()).isSameAs(two.payload());
        assertThat(one.labels()).isSameAs(two.labels());
    }

    @Test
    void aCallOverGrpcMeansWhatItsTwinMeans() {
        var call =
                SubmitJobRequest.newBuilder()
                        .setTenantId("t")
                        .setName("n")
                        .setGpuCount(0)
                        .setMaxRuntime(Duration.newBuilder().setSeconds(90))
                        .addCommand("sleep")
                        .addArgs("1")
                        .putEnvironment("A", "b")
                        .addGpuModels("A100")
                        .build();
        assertThat(requests.read(GrpcRequests.body(call), CONTEXT))
                .isEqualTo(
                        read(
                                """
                                {"tenant_id": "t", "name": "n", "gpu_count": 0,
                                 "max_runtime_seconds": 90, "command": ["sleep"], "args": ["1"],
                                 "environment": {"A": "b"}, "gpu_model": "A100"}
                                """));
    }

    @ParameterizedTest
    @CsvSource({
        "max_runtime_minutes, 90, PT90M",
        "max_runtime_minutes, '\"90\"', PT90M",
        "max_runtime_minutes, '\"5s\"', PT5S",
        "max_runtime_minutes, '\"1:00:00\"', PT1H",
        "max_runtime_minutes, '\"2-12:00\"', PT60H",
        "max_runtime_minutes, '\"2-12\"', PT60H",
        "max_runtime_minutes, '\"90:30\"', PT1H30M30S",
        "max_runtime_seconds, 5, PT5S",
        "max_runtime_seconds, '\"90\"', PT90S",
        "max_runtime_seconds, '\"1d2h3m4s\"', PT26H3M4S"
    })
    void aTimeLimitIsReadAsItIsWritten(String field, String value, java.time.Duration limit) {
        var valid =
                (Parsed.Valid<JobRequest.Submission, Problem>)
                        read("{\"%s\": %s}".formatted(field, value));
        assertThat(valid.value().spec().limit()).isEqualTo(limit);
    }

    @Test
    void aGracePeriodMayBeWrittenAsATime() {
        var valid =
                (Parsed.Valid<JobRequest.Submission, Problem>)
                        read("{\"grace_seconds\": \"2:30\"}");
        assertThat(valid.value().spec().onLoss().grace())
                .isEqualTo(java.time.Duration.ofSeconds(150));
    }

    @Test
    void anyTreeIsReadOrRefusedAndNothingWorse() {
        var known =
                List.of(
                        "gpu_count",
                        "tasks",
                        "gang_scheduling",
                        "command",
                        "labels",
                        "name",
                        "tolerations",
                        "environment",
                        "gpu_model",
                        "max_runtime_minutes",
                        "priority");
        var values =
                List.of(
                        "0",
                        "1",
                        "-1",
                        "64",
                        "65",
                        "65521",
                        "1.5",
                        "9e99",
                        "true",
                        "null",
                        "\"x\"",
                        "\"\"",
                        "[]",
                        "[\"a\"]",
                        "[{}]",
                        "{}",
                        "{\"a\": \"b\"}",
                        "{\"a\": null}");
        for (long seed = 0; seed < 3000; seed++) {
            var random = new Random(seed);
            var json = new StringBuilder("{\"x\": 0");
            for (String key : known) {
                if (random.nextBoolean()) {
                    json.append(", \"").append(key).append("\": ");
                    json.append(values.get(random.nextInt(values.size())));
                }
            }
            try {
                read(json.append('}').toString());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + json, e);
            }
        }
    }

    private Parsed<JobRequest.Submission, Problem> read(String json) {
        return requests.read(tree(json), CONTEXT);
    }

    @Test
    void aDeadlineIsAnInstantOrATimeFromTheSubmission() {
        JobSpec within =
                valid(
                        "{\"deadline\": \"52h\", \"work_seconds\": \"48h\", \"restart_seconds\":"
                                + " 360}");
        assertThat(within.deadline())
                .isEqualTo(
                        new JobDeadline(
                                null,
                                java.time.Duration.ofHours(52),
                                java.time.Duration.ofHours(48),
                                java.time.Duration.ofMinutes(6)));
        JobSpec at = valid("{\"deadline\": \"2026-11-20T09:00:00+01:00\"}");
        assertThat(at.deadline())
                .isEqualTo(
                        new JobDeadline(
                                Instant.parse("2026-11-20T08:00:00Z"),
                                java.time.Duration.ZERO,
                                java.time.Duration.ZERO,
                                java.time.Duration.ZERO));
        assertThat(valid("{}").deadline()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"deadline\": \"52\"}",
                "{\"deadline\": \"0h\"}",
                "{\"deadline\": \"\"}",
                "{\"deadline\": \"soon\"}",
                "{\"deadline\": \"-5h\"}",
                "{\"deadline\": \"2026-11-20\"}",
                "{\"deadline\": \"9999-01-01T00:00:00Z\"}",
                "{\"deadline\": \"99999999d\"}",
                "{\"deadline\": 52}",
                "{\"deadline\": []}"
            })
    void anythingElseIsNoDeadline(String json) {
        assertThat(problems(json))
                .singleElement()
                .satisfies(problem -> assertThat(problem.field()).isEqualTo("deadline"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"work_seconds\": 5}                            | work_seconds",
                "{\"restart_seconds\": 5}                         | restart_seconds",
                "{\"deadline\": \"5h\", \"work_seconds\": 0}      | work_seconds",
                "{\"deadline\": \"5h\", \"restart_seconds\": -1}  | restart_seconds",
                "{\"deadline\": \"5h\", \"restart_seconds\": \"x\"} | restart_seconds"
            })
    void workAndRestartsBelongToADeadline(String json, String field) {
        assertThat(problems(json)).extracting(Problem::field).containsOnly(field);
    }

    @Test
    void aDeadlineOverGrpcIsTheSame() {
        var request =
                SubmitJobRequest.newBuilder()
                        .setDeadline("52h")
                        .setWork(Duration.newBuilder().setSeconds(172_800))
                        .setRestartCost(Duration.newBuilder().setSeconds(360))
                        .build();
        var read = requests.read(GrpcRequests.body(request), CONTEXT);
        assertThat(((Parsed.Valid<JobRequest.Submission, Problem>) read).value().spec())
                .isEqualTo(
                        valid(
                                "{\"deadline\": \"52h\", \"work_seconds\": 172800,"
                                        + " \"restart_seconds\": 360}"));
    }

    private JobSpec valid(String json) {
        var result = read(json);
        assertThat(result).isInstanceOf(Parsed.Valid.class);
        return ((Parsed.Valid<JobRequest.Submission, Problem>) result).value().spec();
    }

    private List<Problem> problems(String json) {
        var result = read(json);
        assertThat(result).isInstanceOf(Parsed.Invalid.class);
        return ((Parsed.Invalid<JobRequest.Submission, Problem>) result).problems();
    }

    private static JsonTree.Mapping tree(String json) {
        return new JsonReader(1 << 20).readObject(json.getBytes(StandardCharsets.UTF_8));
    }
}
