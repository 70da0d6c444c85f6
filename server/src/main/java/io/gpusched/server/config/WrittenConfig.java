package io.gpusched.server.config;

import java.util.List;

/// Writes settings as YAML, for people: what is in force, or a file to start from.
final class WrittenConfig {
    private static final int COMMENT_COLUMN = 44;

    private final StringBuilder text = new StringBuilder();
    private String section = "";

    private WrittenConfig() {}

    /// Every setting with its value and, where somebody set it, where that was.
    static String of(Values values) {
        var written = new WrittenConfig();
        for (Key<?> key : Config.KEYS) {
            String value = key.secret() ? "(hidden)" : yaml(values.of(key));
            String comment = values.has(key) ? values.where(key) : "";
            written.line(key, value, comment, false);
        }
        return written.text.toString();
    }

    /// The file that is shipped: every setting at its default, with its sentence. Lines that would
    /// choose something by merely being there are commented out.
    static String shipped() {
        var written = new WrittenConfig();
        for (Key<?> key : Config.KEYS) {
            String unit = key.unit().isEmpty() ? "" : " (" + key.unit() + ")";
            written.line(key, yaml(key.usual()), key.sentence() + unit, speaksByPresence(key));
        }
        return written.text.toString();
    }

    private static boolean speaksByPresence(Key<?> key) {
        return key.path().startsWith("database.") && !key.path().endsWith("_events")
                || key.equals(ApiSection.RATE_LIMIT)
                || yaml(key.usual()).equals("\"\"");
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

    private static String yaml(Object value) {
        return switch (value) {
            case List<?> list -> list.toString();
            case String text when text.isEmpty() || !text.matches("[A-Za-z0-9/_.-]+") ->
                    '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            default -> value.toString();
        };
    }
}
