package io.gpusched.gateway.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

final class AnswerMeterTest {
    private static final String STREAM =
            """
            : comment

            data: {"choices":[{"delta":{"role":"assistant","content":""}}],"usage":null}

            data: {"choices":[{"delta":{"content":"a"}}]}

            data: {"choices":[{"delta": {"content": "b"}}]}

            data: {"choices":[{"delta":{"reasoning_content":"c"}}]}

            data: {"choices":[{"delta":{"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":""}}]}}]}

            data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{}"}}]}}]}

            data: {"choices":[{"text":"d"}]}

            data: [DONE]

            """;

    @Test
    void everyCutOfTheBytesCountsTheSame() {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            var meter = new AnswerMeter(true);
            meter.at(1);
            meter.take(bytes, 0, cut);
            meter.at(2);
            meter.take(bytes, cut, bytes.length);
            meter.end();
            assertThat(meter.outputTokens()).as("cut at %s", cut).isEqualTo(5);
            assertThat(meter.toolCalls()).isEqualTo(1);
            assertThat(meter.promptTokens()).isEqualTo(-1);
        }
    }

    @Test
    void timesAreThoseOfTokens() {
        var meter = new AnswerMeter(true);
        String[] lines = STREAM.split("(?<=\n\n)");
        for (int i = 0; i < lines.length; i++) {
            meter.at(100L * i);
            byte[] bytes = lines[i].getBytes(StandardCharsets.UTF_8);
            meter.take(bytes, 0, bytes.length);
        }
        assertThat(meter.firstTokenAt()).isEqualTo(200);
        assertThat(meter.interTokenNanos()).isEqualTo((700 - 200) / 4);
    }

    @Test
    void usageReplacesTheCount() {
        var meter = new AnswerMeter(true);
        take(
                meter,
                "data: {\"text\":\"a\"}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,"
                        + "\"total_tokens\":19,\"completion_tokens\":7}}\n\n");
        assertThat(meter.outputTokens()).isEqualTo(7);
        assertThat(meter.promptTokens()).isEqualTo(12);
    }

    @Test
    void aPlainAnswerHasItsUsageAtTheEnd() {
        var meter = new AnswerMeter(false);
        String text = "x".repeat(100_000);
        take(meter, "{\"choices\":[{\"message\":{\"content\":\"" + text);
        take(meter, "\"}}],\"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 40}}");
        meter.end();
        assertThat(meter.outputTokens()).isEqualTo(40);
        assertThat(meter.promptTokens()).isEqualTo(3);
        assertThat(meter.firstTokenAt()).isZero();
    }

    @Test
    void fourBytesAreATokenWhereNothingElseIsKnown() {
        var meter = new AnswerMeter(false);
        take(meter, "x".repeat(400));
        meter.end();
        assertThat(meter.outputTokens()).isEqualTo(100);
    }

    @Test
    void aLineWithoutEndIsNotKept() {
        var meter = new AnswerMeter(true);
        for (int i = 0; i < 1_000; i++) {
            take(meter, "x".repeat(1_000));
        }
        meter.end();
        assertThat(meter.outputTokens()).isZero();
    }

    private static void take(AnswerMeter meter, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        meter.take(bytes, 0, bytes.length);
    }

    @Test
    void promptsAreEstimatedByTheirText() {
        var scan =
                scan(
                        "{\"messages\":[{\"role\":\"user\",\"content\":\"12345678\"}],\"model\":\"m\"}");
        assertThat(scan.promptTokens()).isEqualTo(3);
        assertThat(scan.model()).isEqualTo("m");
        assertThat(scan("{\"prompt\":[1,2,3,4]}").promptTokens()).isEqualTo(4);
        assertThat(scan("{\"max_tokens\":100000,\"prompt\":\"abcd\"}").promptTokens()).isEqualTo(1);
        String picture =
                "{\"image_url\":{\"url\":\"data:image/png;base64," + "A".repeat(10_000) + "\"}}";
        assertThat(scan(picture).promptTokens()).isZero();
        assertThat(scan("no json at all").isJson()).isFalse();
        assertThat(scan("{\"model\":\"m\"").isJson()).isFalse();
    }

    @Test
    void theModelIsReplacedInPlace() {
        byte[] body =
                "{\"a\":\"é\", \"model\" : \"pool\", \"b\":{\"model\":\"pool\"}}"
                        .getBytes(StandardCharsets.UTF_8);
        byte[] changed = PromptScan.of(body).withModel(body, "org/model");
        assertThat(new String(changed, StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"é\", \"model\" : \"org/model\", \"b\":{\"model\":\"pool\"}}");
    }

    private static PromptScan scan(String text) {
        return PromptScan.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void percentilesAreWithinThreePercent() {
        var times = new TimeBuckets();
        for (int i = 1; i <= 1_000; i++) {
            times.add(i * 1_000_000L);
        }
        assertThat(times.percentileMillis(95)).isBetween(950.0, 980.0);
        times.clear();
        assertThat(times.percentileMillis(95)).isZero();
    }
}
