package io.gpusched.sim.trace;

import io.gpusched.sim.metrics.GridIntensity;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;

/// Reads the carbon intensity over time: after a header line, lines with a time and grams of CO2e
/// per kWh, separated by a comma, each valid until the next. Times are like `2026-01-05T00:00:00Z`
/// or `2026-01-05 00:00:00`, which is UTC.
///
/// A curve with a gap would be wrong, so one bad line is an error for the file.
public final class IntensityReader {
    private static final double MOST_GRAMS = 1e6;

    private IntensityReader() {}

    public static GridIntensity read(Path file) {
        var times = new ArrayList<Instant>();
        var grams = new ArrayList<Double>();
        try (TextLines textLines = TextLines.open(file, "a curve with lines of time,grams")) {
            textLines.next();
            for (String line = textLines.next(); line != null; line = textLines.next()) {
                String[] cells = line.split(",", -1);
                try {
                    Instant time = time(cells[0].strip());
                    double value = Double.parseDouble(cells[1].strip());
                    boolean early =
                            !times.isEmpty() && time.isBefore(times.getLast().plusMillis(1));
                    if (early || !isUsual(time) || !(value >= 0 && value <= MOST_GRAMS)) {
                        throw wrong(textLines, line);
                    }
                    times.add(time);
                    grams.add(value);
                } catch (DateTimeException | NumberFormatException | IndexOutOfBoundsException e) {
                    throw wrong(textLines, line);
                }
            }
        }
        if (times.isEmpty()) {
            throw new BadTrace(
                    file + " has no steps; expected a line of headings, then lines of time,grams");
        }
        return GridIntensity.steps(times, grams);
    }

    private static BadTrace wrong(TextLines textLines, String line) {
        return textLines.wrong(
                "a time later than the one before (sort the rows by time) and grams of CO2e per kWh"
                        + " from 0 to 1000000",
                line);
    }

    /// Within the time that fits into nanoseconds.
    private static boolean isUsual(Instant time) {
        int year = time.atOffset(ZoneOffset.UTC).getYear();
        return year >= 1900 && year < 2200;
    }

    private static Instant time(String text) {
        return text.endsWith("Z")
                ? Instant.parse(text)
                : LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
}
