package io.gpusched.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The commands that the page offers for copying, run by a shell: whatever a job is called, the
/// shell passes the name on as one word and runs nothing of it.
@Timeout(180)
final class CopiedCommandIT {
    private static final String COPY =
            """
            async name => {
              const {cli, curl} = await import(new URL("lib/commands.js", document.baseURI));
              return [cli("submit", "--name", name), curl("POST", "jobs", {name})];
            }
            """;

    /// Shows the words that a program gets, one per line.
    private static final String SHOW =
            "gpu-cli() { printf '%s\\n' \"$@\"; }; curl() { printf '%s\\n' \"$@\"; }; ";

    @TempDir static Path temp;

    private static Chromium chromium;
    private static Visited demo;
    private static Window window;

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
        demo = Visited.open(temp);
        window = chromium.open(demo.url());
        window.see("submit");
    }

    @AfterAll
    static void stop() {
        if (demo != null) {
            demo.close();
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "it's",
                "two words \"quoted\"",
                "$(touch ran)",
                "$GPU_SCHEDULER_TOKEN $(touch ran) `touch ran`",
                "'; touch ran; '",
                "back\\slash \\u0041",
                "\u202Eright to left\u202C",
                "-n"
            })
    void aNameStaysOneWord(String name) throws Exception {
        @SuppressWarnings("unchecked") // The script gives two texts.
        var commands = (List<String>) window.page.evaluate(COPY, name);
        String[] cli = run(commands.getFirst()).split("\n");
        assertThat(cli).containsExactly("submit", "--api-url", demo.url(), "--name", name);
        assertThat(run(commands.getLast())).contains(json(name)).doesNotContain("secret\"");
        assertThat(temp.resolve("ran")).doesNotExist();
    }

    private static String json(String name) throws IOException {
        String plain = new ObjectMapper().writeValueAsString(name);
        return "{\"name\":" + plain.replace("\u202E", "\\u202e").replace("\u202C", "\\u202c") + "}";
    }

    private static String run(String command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(temp, "words", ".txt");
        var builder =
                new ProcessBuilder("bash", "-c", SHOW + command)
                        .directory(temp.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile());
        builder.environment().putAll(Map.of("GPU_SCHEDULER_TOKEN", "secret", "LC_ALL", "C.UTF-8"));
        assertThat(builder.start().waitFor()).isZero();
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
