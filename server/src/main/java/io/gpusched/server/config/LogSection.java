package io.gpusched.server.config;

import java.util.List;

/// What is written to standard error, and how.
public record LogSection(String level, boolean json) {

    static final Setting<String> LEVEL =
            Setting.oneOf(
                            "log.level",
                            "info",
                            List.of("debug", "info", "warn", "warning", "error"),
                            "From which level on messages are written.")
                    .alsoFrom("SCHEDULER_LOG_LEVEL");
    static final Setting<String> FORMAT =
            Setting.oneOf(
                    "log.format",
                    "text",
                    List.of("text", "json"),
                    "One line of text per message, or one line of JSON.");
    static final List<Setting<?>> KEYS = List.of(LEVEL, FORMAT);

    static LogSection from(SettingValues settingValues) {
        return new LogSection(settingValues.of(LEVEL), settingValues.of(FORMAT).equals("json"));
    }
}
