package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

final class ConnectionSecretTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("QUEUE_URL", "redis://h", "EMPTY", " ");

    @TempDir Path folder;

    @Test
    void theTextComesFromTheEnvironmentFromAFileOrFromItself() throws Exception {
        Path file = Files.writeString(folder.resolve("url"), "redis://f\n");
        assertThat(reveal("env:QUEUE_URL")).isEqualTo("redis://h");
        assertThat(reveal("file:" + file)).isEqualTo("redis://f");
        assertThat(reveal("redis://literal")).isEqualTo("redis://literal");
        Files.writeString(file, "redis://changed");
        assertThat(reveal("file:" + file)).isEqualTo("redis://changed");
    }

    @Test
    void whatCannotBeFoundIsNamedWithoutItsText() throws IOException {
        Path large = Files.write(folder.resolve("large"), new byte[100_000]);
        assertFails("env:MISSING", "environment variable", "not set");
        assertFails("env:EMPTY", "the connection is empty");
        assertFails("file:" + folder, "missing or too large");
        assertFails("file:" + large, "missing or too large");
        assertFails("file:\0", "cannot be read");
        assertFails("", "the connection is empty");
    }

    @Test
    void aSecretNeverShowsItself() {
        var secret = new ConnectionSecret("redis://:canary@h");
        assertThat(secret).hasToString("***").isEqualTo(new ConnectionSecret("redis://:canary@h"));
        assertThat(new Binding("a", "b", "redis", secret, "q", "").toString())
                .doesNotContain("canary");
    }

    private static void assertFails(String given, String... said) {
        assertThatThrownBy(() -> reveal(given))
                .isInstanceOf(LagProblem.class)
                .hasNoCause()
                .hasMessageContainingAll(said);
    }

    private static String reveal(String given) throws LagProblem {
        return new ConnectionSecret(given).reveal(ENVIRONMENT::get);
    }
}
