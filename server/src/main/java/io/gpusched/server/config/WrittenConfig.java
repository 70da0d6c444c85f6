package io.gpusched.server.config;

import java.util.Map;

/// Writes settings as YAML, for people: what is in force, or a file to start from.
final class WrittenConfig {
    private static final int COMMENT_COLUMN = 44;

    private final StringBuilder text = new StringBuilder();
    private String section = "";

    private WrittenConfig() {}

    /// Every setting with its value and, where somebody set it, where that was. Read as a file, it
    /// sets the same; only secrets have to be given again.
    ///
    /// @param resolved what is in force for keys whose default depends on other settings
    static String of(Values values, Map<Key<?>, Object> resolved) {
        var written = new WrittenConfig();
        for (Key<?> key : Config.KEYS) {
            if (key.secret()) {
                // As a comment, or it would be taken for the password.
                written.line(key, "(hidden)", where(values, key), true);
            } else {
                Object value = resolved.getOrDefault(key, values.of(key));
                written.line(key, YamlText.value(value), where(values, key), false);
            }
        }
        return written.text.toString();
    }

    private static String where(Values values, Key<?> key) {
        return values.has(key) ? values.where(key) : "";
    }

    /// The file that is shipped: every setting at its default, with its sentence. Lines that would
    /// choose something by merely being there are commented out.
    static String shipped() {
        var written = new WrittenConfig();
        for (Key<?> key : Config.KEYS) {
            String unit = key.unit().isEmpty() ? "" : " (" + key.unit() + ")";
            written.line(
                    key, YamlText.value(key.usual()), key.sentence() + unit, speaksByPresence(key));
        }
        return written.text.toString();
    }

    private static boolean speaksByPresence(Key<?> key) {
        return key.path().startsWith("database.") && !key.path().endsWith("_events")
                || key.equals(ApiSection.RATE_LIMIT)
                || YamlText.value(key.usual()).equals("\"\"");
    }

    private void line(Key<?> key, String value, String comment, boolean asComment) {
        int dot = key.path().indexOf('.');
        String head = dot < 0 ? "" : key.path().substring(0, dot);
        if (!head.equals(section)) {
            text.append('\n').append(head).append(":\n");
            section = head;
        }
        var line = new StringBuilder(dot < 0 ? "" : "  ").append(asComment ? "# " : "");
        line.append(key.path(), dot + 1, key.path().length()).append(": ").append(value);
        if (!comment.isEmpty()) {
            line.repeat(' ', Math.max(1, COMMENT_COLUMN - line.length()));
            line.append("# ").append(comment);
        }
        text.append(line).append('\n');
    }
}
