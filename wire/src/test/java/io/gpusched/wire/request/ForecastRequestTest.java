package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.RegionForecast;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

final class ForecastRequestTest {
    private static Parsed<RegionForecast, Problem> read(String from) throws MalformedException {
        String body = "{\"from\": \"%s\", \"grams\": [310]}".formatted(from);
        return ForecastRequest.read(
                new JsonReader(1 << 10).readObject(body.getBytes(StandardCharsets.UTF_8)),
                "default");
    }

    /// The journal holds whole microseconds and stops the scheduler at anything else.
    @Test
    void theBeginningIsAWholeMicrosecond() throws MalformedException {
        var parsed = read("2026-01-05T00:00:00.123456789Z");
        assertThat(parsed).isInstanceOf(Parsed.Valid.class);
        if (parsed instanceof Parsed.Valid<RegionForecast, Problem> valid) {
            assertThat(valid.value().from())
                    .isEqualTo(Instant.parse("2026-01-05T00:00:00.123456Z"));
        }
    }

    @Test
    void aBeginningThatNoForecastCanHaveIsRefused() throws MalformedException {
        for (String from :
                new String[] {
                    "", "yesterday", "+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z"
                }) {
            assertThat(read(from)).as(from).isInstanceOf(Parsed.Invalid.class);
        }
    }
}
