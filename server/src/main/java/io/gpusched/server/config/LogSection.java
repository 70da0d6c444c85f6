package io.gpusched.server.config;

import java.util.List;

/// What is written to standard error, and how.
public record LogSection(String level, boolean json) {

    static final Key<String> LEVEL =
            Key.oneOf(
                            "log.level",
                            "info",
                            List.of("debug", "info", "warn", "warning", "error"),
                            "From which level on messages are written.")
                    .alsoFrom("SCHEDULER_LOG_LEVEL");
    static final Key<String> FORMAT =
            Key.oneOf(
                    "log.format",
                    "text",
                    List.of("text", "json"),
                    "One line of text per message, or one line of JSON.");
    static final List<Key<?>> KEYS = List.of(LEVEL, FORMAT);

    static LogSection from(Values values) {
        return new LogSection(values.of(LEVEL), values.of(FORMAT).equals("json"));
    }
}
