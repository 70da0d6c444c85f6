package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;

/// A request that exceeds the tenant's quota is refused, and the error says which field to change
/// to which value.
@Timeout(60)
final class QuotaRestTest {
    @TempDir static Path temp;

    private static int made;

    private final Running rest = Running.in(temp.resolve("data-" + made++));

    @AfterEach
    void stop() {
        rest.close();
    }

    @ParameterizedTest
    @CsvSource({
        "max_gpus, 4, gpu_count, 8, GPUs, 4 GPUs",
        "max_gpu_memory_mb, 40000, gpu_memory_mb, 80000, GPU memory MB, 40000 MB of GPU memory",
        "max_cpu_cores, 16, cpu_cores, 17, CPU cores, 16 CPU cores",
        "max_memory_mb, 1000, memory_mb, 1001, memory MB, 1000 MB of memory",
    })
    void theFieldAndWhatWouldFitAreNamed(
            String quota, int limit, String field, int asked, String title, String most) {
        tenant("\"" + quota + "\":" + limit);
        String body = "{\"tenant_id\":\"team\",\"%s\":%d}";

        var refused = rest.post("/api/v1/jobs", body.formatted(field, asked));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.field("error"))
                .isEqualTo(
                        "quota exceeded for tenant team: %s requested=%d, quota=%d, current=0"
                                .formatted(title, asked, limit));
        assertThat(refused.field("code")).isEqualTo("quota");
        assertThat(refused.field("field")).isEqualTo(field);
        assertThat(refused.field("hint"))
                .isEqualTo("ask for at most " + most + ", or have the quota of team raised");
        assertThat(rest.post("/api/v1/jobs?dry_run=true", body.formatted(field, asked)).text())
                .isEqualTo(refused.text());

        assertThat(rest.post("/api/v1/jobs", body.formatted(field, limit)).status()).isEqualTo(201);
    }

    /// No field sets the number of jobs; only another tenant helps.
    @Test
    void aTenantWithoutAnyQuotaIsToldToUseAnotherTenant() {
        tenant("\"max_concurrent_jobs\":0");
        var refused = rest.post("/api/v1/jobs", "{\"tenant_id\":\"team\"}");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.field("error"))
                .isEqualTo(
                        "quota exceeded for tenant team: concurrent jobs requested=1, quota=0,"
                                + " current=0");
        assertThat(refused.field("field")).isEqualTo("tenant_id");
        assertThat(refused.field("hint"))
                .isEqualTo(
                        "submit it for a tenant that may run jobs, or have the quota of team"
                                + " raised");
    }

    /// The error names the quota that is exceeded, also if it is a parent's.
    @Test
    void theQuotaOfATenantAboveIsNamedAsItsOwn() {
        tenant("\"max_gpus\":4");
        rest.post(
                "/api/v1/tenants",
                "{\"id\":\"below\",\"name\":\"B\",\"parent_id\":\"team\",\"max_gpus\":8}");
        var refused = rest.post("/api/v1/jobs", "{\"tenant_id\":\"below\",\"gpu_count\":6}");

        assertThat(refused.field("error")).startsWith("quota exceeded for tenant team: GPUs");
        assertThat(refused.field("field")).isEqualTo("gpu_count");
        assertThat(refused.field("hint")).contains("at most 4 GPUs").contains("quota of team");
    }

    private void tenant(String quota) {
        var answered =
                rest.post("/api/v1/tenants", "{\"id\":\"team\",\"name\":\"A\"," + quota + "}");
        assertThat(answered.status()).as(answered.text()).isEqualTo(201);
    }
}
