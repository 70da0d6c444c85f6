package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// `GET /api/v1/jobs?history=true`: jobs of any age, from the tables.
@Timeout(120)
final class HistoryRestTest {
    @TempDir Path folder;

    @Test
    void jobsOfAnyAgeAreListedPageByPage() {
        try (var rest = Running.in(folder)) {
            for (int i = 0; i < 5; i++) {
                rest.submit("{}");
            }
            String path = "/api/v1/jobs?history=true&limit=2";
            Soon.that(
                    "the tables have them", () -> rest.get(path).json().path("total").asInt() == 5);

            assertThat(rest.get(path).json().path("jobs").findValuesAsText("id"))
                    .containsExactly("job-5", "job-4");
            assertThat(rest.get(path + "&before=job-4").json().path("jobs").findValuesAsText("id"))
                    .containsExactly("job-3", "job-2");
            assertThat(rest.get(path + "&state=completed").json().path("total").asInt()).isZero();
            assertThat(rest.get(path + "&state=completed,pending").json().path("total").asInt())
                    .isEqualTo(5);
            assertThat(rest.get(path + "&state=completed&active=true").json().path("total").asInt())
                    .isZero();
            assertThat(rest.get(path + "&before=five").status()).isEqualTo(400);
            assertThat(rest.get("/api/v1/jobs?history=perhaps").status()).isEqualTo(400);
        }
    }
}
