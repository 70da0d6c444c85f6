package io.gpusched.gateway.scrape;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A page in the text format of Prometheus. Names with `:` and with `_` are the same here, because
/// they are often mistaken for each other.
final class MetricSamples {
    private static final Pattern LINE =
            Pattern.compile(
                    "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*\\})?[ \\t]+([^ \\t]+)"
                            + "([ \\t]+-?[0-9.]+)?([ \\t]+#.*)?");
    private static final Pattern BOUND = Pattern.compile("[{,]\\s*le=\"([^\"]+)\"");
    private static final int MOST_SAMPLES = 100_000;

    /// @param labels as they stand in the text, with the braces
    private record Sample(String labels, double value) {}

    private final Map<String, List<Sample>> samples = new HashMap<>();
    private int count;

    static MetricSamples read(String text) throws BadMetrics {
        var page = new MetricSamples();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (!line.isBlank() && !line.startsWith("#")) {
                page.add(line.strip());
            }
        }
        return page;
    }

    private void add(String line) throws BadMetrics {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new BadMetrics("not a line of Prometheus metrics: " + shown(line));
        }
        if (++count > MOST_SAMPLES) {
            throw new BadMetrics("more than " + MOST_SAMPLES + " samples");
        }
        String labels = parts.group(2) == null ? "" : parts.group(2);
        samples.computeIfAbsent(parts.group(1).replace(':', '_'), _ -> new ArrayList<>())
                .add(new Sample(labels, number(parts.group(3), line)));
    }

    private static double number(String text, String line) throws BadMetrics {
        try {
            return switch (text) {
                case "+Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(text);
            };
        } catch (NumberFormatException e) {
            throw new BadMetrics("not a number in the metrics: " + shown(line));
        }
    }

    private static String shown(String line) {
        String start = line.substring(0, Math.min(60, line.length()));
        return start.replaceAll("[^\\x20-\\x7e]", "?");
    }

    /// The sum over all labels, or null when there is no such metric.
    @Nullable Double sum(String name) throws BadMetrics {
        return sum(name, "");
    }

    /// @param label text that the labels must contain
    @Nullable Double sum(String name, String label) throws BadMetrics {
        Double sum = null;
        for (Sample each : samples.getOrDefault(name, List.of())) {
            if (each.labels.contains(label)) {
                sum = (sum == null ? 0 : sum) + usable(name, each.value);
            }
        }
        return sum;
    }

    /// The largest value over all labels, or null when there is no such metric.
    @Nullable Double max(String name) throws BadMetrics {
        Double max = null;
        for (Sample each : samples.getOrDefault(name, List.of())) {
            max = Math.max(max == null ? 0 : max, usable(name, each.value));
        }
        return max;
    }

    private static double usable(String name, double value) throws BadMetrics {
        if (!(value >= 0) || value > 1e18) {
            throw new BadMetrics("expected a number from 0 on for " + name + ", found " + value);
        }
        return value;
    }

    /// The cumulative counts of a histogram by upper bound, summed over all labels; empty when
    /// there is no such metric.
    SortedMap<Double, Double> buckets(String name) throws BadMetrics {
        var buckets = new TreeMap<Double, Double>();
        String family = name + "_bucket";
        for (Sample each : samples.getOrDefault(family, List.of())) {
            Matcher bound = BOUND.matcher(each.labels);
            if (!bound.find()) {
                throw new BadMetrics("a bucket of " + name + " has no bound");
            }
            buckets.merge(
                    number(bound.group(1), each.labels), usable(family, each.value), Double::sum);
        }
        return buckets;
    }
}
