package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// `gpu-cli carbon`, and the options of `gpu-cli submit` about clean power.
final class ForecastCommandTest {
    private static final String FORECAST =
            """
            {"region":"default","from":"2026-01-01T10:00:00Z","until":"2026-01-01T13:00:00Z",
             "slot_minutes":60,"now":300,"grams":[300,280,120]}
            """;

    private final Stand stand = new Stand();
    /// The clock of these tests says ten past twelve.
    private final Instant hour = Instant.parse("2025-03-01T12:00:00Z");

    @AfterEach
    void close() {
        stand.close();
    }

    private String line(int hours, String grams) {
        return hour.plus(Duration.ofHours(hours)) + "," + grams + "\n";
    }

    private Shell.Outcome put(String text, String... more) {
        stand.says("PUT /api/v1/carbon/default", FORECAST);
        var words = new ArrayList<>(List.of("carbon", "put", "default"));
        words.addAll(List.of("-f", "-"));
        words.addAll(List.of(more));
        return Shell.at(stand).typing(text).run(words.toArray(String[]::new));
    }

    private String refusal(String text) {
        var outcome = put(text);
        assertThat(outcome.code()).as(outcome.err()).isEqualTo(2);
        assertThat(stand.asked()).isEmpty();
        return outcome.err();
    }

    @Test
    void forecastsAreListedShownAndDeleted() {
        stand.says("GET /api/v1/carbon", "{\"forecasts\":[" + FORECAST + "],\"total\":1}");
        stand.says("GET /api/v1/carbon/default", FORECAST);
        stand.says("DELETE /api/v1/carbon/default", "{\"message\":\"gone\"}");
        assertThat(Shell.at(stand).run("carbon").out())
                .isEqualTo(
                        """
                        REGION   G/KWH NOW  LEAST  MOST  SLOT  FROM                  UNTIL
                        default  300        120    300   60m   2026-01-01T10:00:00Z  2026-01-01T13:00:00Z
                        """);
        assertThat(Shell.at(stand).run("carbon", "show", "default").out())
                .isEqualTo(
                        """
                        FROM                  G/KWH
                        2026-01-01T10:00:00Z  300
                        2026-01-01T11:00:00Z  280
                        2026-01-01T12:00:00Z  120
                        """);
        assertThat(Shell.at(stand).run("carbon", "delete", "default").out())
                .isEqualTo("Forecast of default: removed\n");
    }

    @Test
    void aCurveIsSentFromThePresentSlotOnInWholeGrams() {
        var outcome =
                put(
                        "Time,Carbon Intensity\n"
                                + line(-1, "310.2")
                                + line(0, "299.6")
                                + line(1, "8"));
        assertThat(outcome.out())
                .as(outcome.err())
                .isEqualTo(
                        "Forecast of default: 3 slots of 60 minutes until 2026-01-01T13:00:00Z\n");
        assertThat(stand.onlyAsked().body())
                .isEqualTo(
                        "{\"from\":\"%s\",\"slot_minutes\":60,\"grams\":[300,8]}".formatted(hour));
    }

    @Test
    void aDocumentIsSentAsItIs() {
        put("{\"from\":\"x\",\"grams\":[1]}");
        assertThat(stand.onlyAsked().body()).isEqualTo("{\"from\":\"x\",\"grams\":[1]}");
    }

    @Test
    void anOldCurveIsMovedToThePresentAndCutToFourteenDays() {
        String old = "2020-01-01 00:00:00,1\n2020-01-01 01:00:00,2\n";
        assertThat(refusal(old)).contains("ended at 2020-01-01T02:00:00Z; --start now");
        put(old, "--start", "now");
        assertThat(stand.onlyAsked().body()).endsWith("\"slot_minutes\":60,\"grams\":[1,2]}");
        assertThat(put(old, "--start", "soon").err()).contains("expected now or a time");
    }

    @Test
    void aLongCurveIsCutToFourteenDays() {
        var text = new StringBuilder();
        for (int i = 0; i < 24 * 20; i++) {
            text.append(line(i, "1"));
        }
        put(text.toString());
        assertThat(stand.onlyAsked().body().split("1,", -1).length).isGreaterThan(300);
        assertThat(stand.onlyAsked().body().replaceAll(".*grams\":", "").split(",")).hasSize(336);
    }

    @Test
    void aBadLineIsNamed() {
        assertThat(refusal("time,grams\n" + line(0, "1") + line(1, "-2")))
                .contains("-, line 3: expected 0 to 100000 grams of CO2 per kWh; found");
        assertThat(refusal(line(0, "1") + line(1, "NaN"))).contains("expected a time and a number");
        assertThat(refusal(line(0, "1") + line(1, "1,2"))).contains("expected a time and a number");
        assertThat(refusal(line(1, "1") + line(0, "1"))).contains("expected a later time");
        assertThat(refusal(line(0, "1") + line(1, "1") + line(3, "1")))
                .contains("line 3: expected " + hour.plus(Duration.ofHours(2)))
                .contains("(fill the gap)");
        assertThat(refusal(line(0, "1"))).contains("expected two or more lines");
        assertThat(Shell.at(stand).run("carbon", "put", "default").err()).contains("--file FILE");
        assertThat(Shell.at(stand).run("carbon", "grow").err()).contains("expected one of list");
    }

    @Test
    void submitSendsTheWish() {
        stand.says("POST /api/v1/jobs", "{\"job_id\":\"job-1\",\"status\":\"queued\"}");
        Shell.at(stand)
                .run(
                        "submit",
                        "--gpus",
                        "1",
                        "--carbon-shift",
                        "90",
                        "--carbon-max",
                        "200",
                        "--prefer-region",
                        "eu",
                        "--",
                        "true");
        assertThat(stand.onlyAsked().body())
                .contains(
                        "\"carbon\":{\"shift_hours\":1.5,\"max_intensity\":200,"
                                + "\"preferred_regions\":[\"eu\"]}");
    }
}
