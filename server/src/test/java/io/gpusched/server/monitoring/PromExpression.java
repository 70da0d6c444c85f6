package io.gpusched.server.monitoring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds which series and labels an expression of Prometheus names. It reads words only and does
/// not check the grammar; `promtool` does that.
public final class PromExpression {
    /// A series with the labels that its matchers name, and the values that they require exactly.
    public record Selector(String metric, Set<String> labels, Map<String, String> exactly) {}

    private static final Pattern WORD =
            Pattern.compile(
                    "\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*\\]|[A-Za-z_:][A-Za-z0-9_:]*|[0-9][0-9a-zA-Z.]*|\\S");
    private static final Pattern MATCHER =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Set<String> GROUPING =
            Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

    private final List<Selector> selectors = new ArrayList<>();
    private final Set<String> grouped = new TreeSet<>();

    private PromExpression() {}

    public static PromExpression of(String text) {
        var expression = new PromExpression();
        expression.read(text);
        return expression;
    }

    /// The series that it names.
    public List<Selector> selectors() {
        return selectors;
    }

    /// The labels by which it groups or joins.
    public Set<String> grouped() {
        return grouped;
    }

    private void read(String text) {
        Matcher words = WORD.matcher(text);
        int at = 0;
        while (words.find(at)) {
            String word = words.group();
            int end = words.end();
            String rest = text.substring(end).stripLeading();
            if (!Character.isLetter(word.charAt(0)) && word.charAt(0) != '_') {
                at = end;
            } else if (GROUPING.contains(word.toLowerCase(Locale.ROOT))) {
                at = rest.startsWith("(") ? labels(text, end) : end;
            } else if (OPERATORS.contains(word) || isFunction(rest)) {
                at = end;
            } else if (rest.startsWith("{")) {
                int close = closing(text, text.indexOf('{', end));
                selectors.add(selector(word, text.substring(end, close)));
                at = close + 1;
            } else {
                selectors.add(new Selector(word, Set.of(), Map.of()));
                at = end;
            }
        }
    }

    /// Whether a word before `rest` is a function or an aggregation: `rate (`, `sum by (`.
    private static boolean isFunction(String rest) {
        return rest.startsWith("(") || rest.matches("(?s)(by|without)\\s*\\(.*");
    }

    /// Reads the labels in brackets and returns where they end.
    private int labels(String text, int from) {
        int open = text.indexOf('(', from);
        int close = text.indexOf(')', open);
        for (String label : text.substring(open + 1, close).split(",")) {
            if (!label.isBlank()) {
                grouped.add(label.strip());
            }
        }
        return close + 1;
    }

    private static int closing(String text, int open) {
        boolean quoted = false;
        for (int i = open; i < text.length(); i++) {
            char one = text.charAt(i);
            quoted = quoted ^ (one == '"');
            if (one == '}' && !quoted) {
                return i;
            }
        }
        throw new IllegalArgumentException("expected } in " + text);
    }

    private static Selector selector(String metric, String matchers) {
        var labels = new TreeSet<String>();
        var exactly = new HashMap<String, String>();
        Matcher each = MATCHER.matcher(matchers);
        while (each.find()) {
            labels.add(each.group(1));
            if (each.group(2).equals("=") && !each.group(3).contains("$")) {
                exactly.put(each.group(1), each.group(3));
            }
        }
        return new Selector(metric, labels, exactly);
    }
}
