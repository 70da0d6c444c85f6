package io.gpusched.server.config;

import java.util.List;

/// The log level and the format of the log, which goes to standard error.
public record LogSection(String level, boolean json) {

    static final Setting<String> LEVEL =
            Setting.oneOf(
                            "log.level",
                            "info",
                            List.of("debug", "info", "warn", "warning", "error"),
                            "Lowest level of messages that are logged.")
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
