package io.gpusched.sim.trace;

import io.gpusched.sim.metrics.Intensity;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;

/// Reads how clean power is over time: after a line of headings, lines of a time and grams of CO2e
/// per kilowatt-hour with a comma between, each valid until the next. Times are like
/// `2026-01-05T00:00:00Z` or `2026-01-05 00:00:00`, which is UTC.
///
/// A curve with a hole would be a wrong curve, so one bad line refuses the file.
public final class IntensityReader {
    private IntensityReader() {}

    public static Intensity read(Path file) {
        var times = new ArrayList<Instant>();
        var grams = new ArrayList<Double>();
        try (Lines lines = Lines.open(file, "a curve with lines of time,grams")) {
            lines.next();
            for (String line = lines.next(); line != null; line = lines.next()) {
                String[] cells = line.split(",", -1);
                try {
                    Instant time = time(cells[0].strip());
                    double value = Double.parseDouble(cells[1].strip());
                    boolean late = !times.isEmpty() && !time.isAfter(times.getLast());
                    if (late || !(value >= 0) || Double.isInfinite(value)) {
                        throw wrong(file, lines.number(), line);
                    }
                    times.add(time);
                    grams.add(value);
                } catch (DateTimeException | NumberFormatException | IndexOutOfBoundsException e) {
                    throw wrong(file, lines.number(), line);
                }
            }
        }
        if (times.isEmpty()) {
            throw new BadTrace(
                    file + " has no steps; expected a line of headings, then lines of time,grams");
        }
        return Intensity.steps(times, grams);
    }

    private static BadTrace wrong(Path file, long number, String line) {
        return new BadTrace(
                "%s, line %d: expected a time later than the one before and grams of CO2e per kWh from 0 on, found %s"
                        .formatted(file, number, line));
    }

    private static Instant time(String text) {
        return text.endsWith("Z")
                ? Instant.parse(text)
                : LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
}
