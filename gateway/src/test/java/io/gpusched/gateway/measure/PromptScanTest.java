package io.gpusched.gateway.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

final class PromptScanTest {
    private static final String CHAT =
            "{\"messages\": [{\"content\": \"caf\u00e9\"}], \"model\" : \"chat\", \"n\": 1}";

    private static PromptScan scan(String json) {
        return PromptScan.of(json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF"})
    void theModelCanBeReplaced(String mark) {
        byte[] body = (mark + CHAT).getBytes(StandardCharsets.UTF_8);

        PromptScan prompt = PromptScan.of(body);

        assertThat(prompt.model()).isEqualTo("chat");
        assertThat(new String(prompt.withModel(body, "llama"), StandardCharsets.UTF_8))
                .isEqualTo(mark + CHAT.replace("chat", "llama"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE"})
    void otherEncodingsAreJudgedByTheirLength(String charset) {
        byte[] body = CHAT.getBytes(Charset.forName(charset));

        PromptScan prompt = PromptScan.of(body);

        assertThat(prompt.model()).isNull();
        assertThat(prompt.isJson()).isFalse();
        assertThat(prompt.promptTokens()).isEqualTo(body.length / 4);
    }

    @Test
    void onlyPicturesAndSoundsCountNothing() {
        String data = "data:" + "x".repeat(395);
        assertThat(scan("{\"content\": \"" + data + "\"}").promptTokens()).isEqualTo(100);
        assertThat(scan("{\"image_url\": {\"url\": \"" + data + "\"}}").promptTokens()).isZero();
        assertThat(scan("{\"image_url\": \"" + data + "\"}").promptTokens()).isZero();
        assertThat(scan("{\"input_audio\": {\"data\": \"" + data + "\"}}").promptTokens()).isZero();
        assertThat(scan("{\"image_url\": {\"a\": {\"b\": \"" + data + "\"}}}").promptTokens())
                .isEqualTo(100);
    }

    @Test
    void fourCharactersAreOneToken() {
        assertThat(scan("{\"prompt\": \"12345678\"}").promptTokens()).isEqualTo(2);
        assertThat(scan("{\"prompt\": [1, 2, 3]}").promptTokens()).isEqualTo(3);
        assertThat(scan("[1]").isJson()).isFalse();
    }
}
