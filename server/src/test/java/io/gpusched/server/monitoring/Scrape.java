package io.gpusched.server.monitoring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The series of one scrape: their names and labels.
public final class Scrape {
    /// Prometheus adds these to every series.
    private static final Set<String> ADDED = Set.of("instance", "job");

    private static final Pattern LINE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})? \\S+");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Map<String, List<Map<String, String>>> series = new TreeMap<>();

    public Scrape(String text) {
        // Prometheus makes this one itself.
        series.put("up", List.of(Map.of()));
        for (String line : text.split("\n")) {
            Matcher parts = LINE.matcher(line);
            if (!line.startsWith("#") && parts.matches()) {
                var labels = new HashMap<String, String>();
                Matcher each = LABEL.matcher(parts.group(2) == null ? "" : parts.group(2));
                while (each.find()) {
                    labels.put(each.group(1), each.group(2));
                }
                series.computeIfAbsent(parts.group(1), name -> new ArrayList<>()).add(labels);
            }
        }
    }

    public Set<String> names() {
        return series.keySet();
    }

    /// What the expression names that does not exist; empty if all exists.
    ///
    /// @param shown labels that a legend or an annotation shows
    public List<String> missing(PromExpression expression, Set<String> shown) {
        var missing = new ArrayList<String>();
        var known = new TreeSet<>(ADDED);
        for (PromExpression.Selector selector : expression.selectors()) {
            List<Map<String, String>> found = series.get(selector.metric());
            if (found == null) {
                missing.add("series " + selector.metric());
                continue;
            }
            var labels = new TreeSet<>(ADDED);
            found.forEach(one -> labels.addAll(one.keySet()));
            known.addAll(labels);
            for (String label : selector.labels()) {
                if (!labels.contains(label)) {
                    missing.add("label " + label + " of " + selector.metric());
                }
            }
            selector.exactly()
                    .forEach(
                            (label, value) -> {
                                if (!ADDED.contains(label)
                                        && found.stream()
                                                .noneMatch(one -> value.equals(one.get(label)))) {
                                    missing.add(
                                            "%s{%s=\"%s\"}"
                                                    .formatted(selector.metric(), label, value));
                                }
                            });
        }
        for (Set<String> used : List.of(expression.grouped(), shown)) {
            for (String label : used) {
                if (!known.contains(label)) {
                    missing.add("label " + label);
                }
            }
        }
        return missing;
    }
}
