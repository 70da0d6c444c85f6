package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.wire.proto.scheduler.UpdateTenantQuotaRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

final class TenantRequestTest {
    private static final TenantId GIVEN = new TenantId("tenant-1");

    @Test
    void anAbsentQuotaIsUnlimitedAndZeroIsNone() {
        Tenant tenant =
                created("{\"name\": \"AI Research\", \"max_gpus\": 8, \"max_memory_mb\": 0}");
        assertThat(tenant.id()).isEqualTo(GIVEN);
        assertThat(tenant.limit())
                .isEqualTo(
                        new Limits(8_000, Limits.UNLIMITED, Limits.UNLIMITED, 0, Limits.UNLIMITED));
        assertThat(tenant.rules()).isEqualTo(PreemptionRules.DEFAULT);
        assertThat(tenant.profile()).isEqualTo(Labels.of("name", "AI Research"));
    }

    @Test
    void aWeightOutOfBoundsIsAnsweredWithTheNearest() {
        assertThat(problem("{\"name\": \"x\", \"fair_share_weight\": -2}"))
                .isEqualTo(
                        new Problem(
                                Problem.Code.INVALID,
                                "fair_share_weight",
                                "fair_share_weight must be over 0 and at most 1000000, found -2",
                                "1 is usual; half of it is 0.5"));
        assertThat(problem("{\"name\": \"x\", \"fair_share_weight\": 1e7}").hint())
                .isEqualTo("the nearest is 1000000");
    }

    @Test
    void aGuaranteeFitsTheLimit() {
        assertThat(created("{\"name\": \"x\", \"guaranteed_gpus\": 4}").guaranteed())
                .isEqualTo(new Limits(4000, 0, 0, 0, 0));
        assertThat(problem("{\"name\": \"x\", \"max_gpus\": 3, \"guaranteed_gpus\": 4}"))
                .isEqualTo(
                        new Problem(
                                Problem.Code.INVALID,
                                "guaranteed_gpus",
                                "guaranteed_gpus must be at most max_gpus, which is 3, found 4",
                                "the nearest is 3"));
    }

    @Test
    void everyFieldIsRead() {
        Tenant tenant =
                created(
                        """
                        {"id": "ai", "name": "AI", "email": "a@b", "organization": "o",
                         "max_gpu_memory_mb": 5, "max_cpu_cores": 2, "max_concurrent_jobs": 3,
                         "priority_tier": "high", "fair_share_weight": 2.5, "allow_preemption": true,
                         "can_preempt_others": false, "max_preemptions": 4, "billing_enabled": true,
                         "cost_per_gpu_hour": 1.25, "notify_on_start": false, "active": false,
                         "parent_id": "root"}
                        """);
        assertThat(tenant.id()).isEqualTo(new TenantId("ai"));
        assertThat(tenant.parent()).isEqualTo(new TenantId("root"));
        assertThat(tenant.limit())
                .isEqualTo(new Limits(Limits.UNLIMITED, 5, 2000, Limits.UNLIMITED, 3));
        assertThat(tenant.weight()).isEqualTo(2.5);
        assertThat(tenant.rules()).isEqualTo(new PreemptionRules(true, false, 4));
        assertThat(tenant.active()).isFalse();
        assertThat(tenant.profile().entries())
                .containsEntry("email", "a@b")
                .containsEntry("priority_tier", "high")
                .containsEntry("billing_enabled", "true")
                .containsEntry("cost_per_gpu_hour", "1.25")
                .containsEntry("notify_on_start", "false")
                .doesNotContainKey("notify_on_complete");
    }

    @Test
    void aChangeKeepsWhatItDoesNotName() {
        Tenant before = created("{\"name\": \"A\", \"max_gpus\": 8, \"email\": \"x@y\"}");
        Tenant after =
                valid(
                        TenantRequest.change(
                                tree("{\"max_gpus\": null, \"max_cpu_cores\": 4}"), before));
        assertThat(after.limit().milliGpus()).isEqualTo(Limits.UNLIMITED);
        assertThat(after.limit().milliCpu()).isEqualTo(4000);
        assertThat(after.profile()).isEqualTo(before.profile());
        assertThat(after.id()).isEqualTo(before.id());
    }

    @Test
    void quotasComeOverGrpcToo() {
        Tenant before = created("{\"name\": \"A\", \"max_gpus\": 8}");
        var call = UpdateTenantQuotaRequest.newBuilder().setMaxGpus(0).build();
        assertThat(valid(TenantRequest.change(GrpcRequests.body(call), before)).limit().milliGpus())
                .isZero();
    }

    @Test
    void readOnlyFieldsAreIgnoredAndNamed() {
        var result = TenantRequest.create(tree("{\"name\": \"A\", \"current_gpus\": 99}"), GIVEN);
        assertThat(((Parsed.Valid<Tenant, Problem>) result).warnings())
                .singleElement()
                .asString()
                .startsWith("current_gpus is not known and was ignored");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max_gpus: -1",
                "max_gpus: \"8\"",
                "max_gpus: 1.5",
                "max_gpus: 1e30",
                "name: 5",
                "name: \"\"",
                "id: \"a b\"",
                "fair_share_weight: 0",
                "fair_share_weight: -2",
                "guaranteed_gpus: -1",
                "fair_share_weight: \"x\"",
                "priority_tier: \"urgent\"",
                "allow_preemption: 1",
                "parent_id: \"tenant-1\"",
                "cost_per_gpu_hour: -1",
                "max_preemptions: -1"
            })
    void aWrongValueIsNamedWithAWayOut(String entry) {
        String field = entry.substring(0, entry.indexOf(':'));
        String json = "{\"" + field + "\"" + entry.substring(field.length());
        json += field.equals("name") ? "}" : ", \"name\": \"A\"}";
        var result = TenantRequest.create(tree(json), GIVEN);
        assertThat(result).isInstanceOf(Parsed.Invalid.class);
        List<Problem> problems = ((Parsed.Invalid<Tenant, Problem>) result).problems();
        assertThat(problems.getFirst().field()).isEqualTo(field);
        assertThat(problems.getFirst().hint()).isNotBlank();
    }

    @Test
    void aProblemIsReportedOnce() {
        var result = TenantRequest.create(tree("{\"name\": 5}"), GIVEN);
        assertThat(((Parsed.Invalid<Tenant, Problem>) result).problems())
                .extracting(Problem::message)
                .containsExactly("name must be a text, found 5");
    }

    @Test
    void whateverIsWrittenIsATenantOrAListOfProblems() {
        Tenant before = created("{\"name\": \"A\", \"max_gpus\": 8, \"guaranteed_gpus\": 2}");
        for (long seed = 0; seed < 3000; seed++) {
            var random = new Random(seed);
            var json = new StringBuilder("{\"x\": 0");
            for (String key : KEYS) {
                if (random.nextInt(4) == 0) {
                    json.append(", \"").append(key).append("\": ");
                    json.append(VALUES.get(random.nextInt(VALUES.size())));
                }
            }
            JsonTree.Mapping body = tree(json.append('}').toString());
            for (boolean make : List.of(true, false)) {
                try {
                    var result =
                            make
                                    ? TenantRequest.create(body, GIVEN)
                                    : TenantRequest.change(body, before);
                    if (result instanceof Parsed.Invalid<Tenant, Problem> wrong) {
                        assertThat(wrong.problems()).isNotEmpty().doesNotHaveDuplicates();
                    }
                } catch (RuntimeException e) {
                    throw new AssertionError("seed " + seed + ": " + json, e);
                }
            }
        }
    }

    private static final List<String> KEYS =
            List.of(
                    "id",
                    "name",
                    "email",
                    "parent_id",
                    "max_gpus",
                    "max_gpu_memory_mb",
                    "max_cpu_cores",
                    "max_memory_mb",
                    "max_concurrent_jobs",
                    "guaranteed_gpus",
                    "fair_share_weight",
                    "allow_preemption",
                    "max_preemptions",
                    "active",
                    "priority_tier",
                    "cost_per_gpu_hour",
                    "billing_enabled");
    private static final List<String> VALUES =
            List.of(
                    "0",
                    "1",
                    "-1",
                    "1.5",
                    "1e-300",
                    "9e99",
                    "1e400",
                    "9223372036854775807",
                    "9223372036854775808",
                    "true",
                    "null",
                    "\"x\"",
                    "\"\"",
                    "\"\\u0000\"",
                    "\"high\"",
                    "\"tenant-1\"",
                    "[]",
                    "[{}]",
                    "{}",
                    "{\"a\": null}");

    private static Tenant created(String json) {
        return valid(TenantRequest.create(tree(json), GIVEN));
    }

    private static Problem problem(String json) {
        var result = TenantRequest.create(tree(json), GIVEN);
        assertThat(result).isInstanceOf(Parsed.Invalid.class);
        return ((Parsed.Invalid<Tenant, Problem>) result).problems().getFirst();
    }

    private static Tenant valid(Parsed<Tenant, Problem> result) {
        assertThat(result).isInstanceOf(Parsed.Valid.class);
        return ((Parsed.Valid<Tenant, Problem>) result).value();
    }

    private static JsonTree.Mapping tree(String json) {
        return new JsonReader(1 << 20).readObject(json.getBytes(StandardCharsets.UTF_8));
    }
}
