package io.gpusched.server.config;

import java.util.Map;

/// Writes settings as YAML for operators: the configuration in force, or a file to start from.
final class ConfigWriter {
    private static final int COMMENT_COLUMN = 44;

    private final StringBuilder text = new StringBuilder();
    private String section = "";

    private ConfigWriter() {}

    /// Every setting with its value and, if it was set, the place where it was set. Read as a file,
    /// the result gives the same configuration, except that secrets must be given again.
    ///
    /// @param resolved values in force of keys whose default depends on other settings
    static String of(SettingValues settingValues, Map<Setting<?>, Object> resolved) {
        var written = new ConfigWriter();
        for (Setting<?> setting : Config.KEYS) {
            if (setting.secret()) {
                // As a comment; otherwise it would be read as the password.
                written.line(setting, "(hidden)", where(settingValues, setting), true);
            } else {
                Object value = resolved.getOrDefault(setting, settingValues.of(setting));
                written.line(setting, YamlText.value(value), where(settingValues, setting), false);
            }
        }
        return written.text.toString();
    }

    private static String where(SettingValues settingValues, Setting<?> setting) {
        return settingValues.has(setting) ? settingValues.where(setting) : "";
    }

    /// The file that is shipped: every setting with its default and its help sentence. A line that
    /// would have an effect just by being present is commented out.
    static String shipped() {
        var written = new ConfigWriter();
        for (Setting<?> setting : Config.KEYS) {
            String unit = setting.unit().isEmpty() ? "" : " (" + setting.unit() + ")";
            written.line(
                    setting,
                    YamlText.value(setting.usual()),
                    setting.sentence() + unit,
                    speaksByPresence(setting));
        }
        return written.text.toString();
    }

    private static boolean speaksByPresence(Setting<?> setting) {
        return setting.path().startsWith("database.") && !setting.path().endsWith("_events")
                || setting.equals(ApiSection.RATE_LIMIT)
                || YamlText.value(setting.usual()).equals("\"\"");
    }

    private void line(Setting<?> setting, String value, String comment, boolean asComment) {
        int dot = setting.path().indexOf('.');
        String head = dot < 0 ? "" : setting.path().substring(0, dot);
        if (!head.equals(section)) {
            text.append('\n').append(head).append(":\n");
            section = head;
        }
        var line = new StringBuilder(dot < 0 ? "" : "  ").append(asComment ? "# " : "");
        line.append(setting.path(), dot + 1, setting.path().length()).append(": ").append(value);
        if (!comment.isEmpty()) {
            line.repeat(' ', Math.max(1, COMMENT_COLUMN - line.length()));
            line.append("# ").append(comment);
        }
        text.append(line).append('\n');
    }
}
