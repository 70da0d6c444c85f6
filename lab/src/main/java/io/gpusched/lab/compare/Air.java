package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Intensity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/// What a kilowatt-hour stands for, and a print of where that is from.
public record Air(Intensity intensity, String print) {
    public static Air constant(double gramsPerKwh) {
        return new Air(Intensity.constant(gramsPerKwh), "constant " + gramsPerKwh);
    }

    /// Reads a curve: lines of a time and grams of CO2e per kWh, with a comma between, after a line
    /// of headings. Times are like `2026-01-05T00:00:00Z` or `2026-01-05 00:00:00`, which is UTC.
    public static Air read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new Unanswerable("cannot read " + file + ": " + e);
        }
        var times = new ArrayList<Instant>();
        var grams = new ArrayList<Double>();
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                step(file, i + 1, lines.get(i), times, grams);
            }
        }
        if (times.isEmpty()) {
            throw new Unanswerable(
                    file + " has no steps; expected a line of headings, then lines of time,grams");
        }
        return new Air(Intensity.steps(times, grams), Prints.of(String.join("\n", lines)));
    }

    private static void step(
            Path file, int number, String line, List<Instant> times, List<Double> grams) {
        String[] cells = line.split(",", -1);
        try {
            Instant time = time(cells[0].strip());
            double value = Double.parseDouble(cells[1].strip());
            if (!(value >= 0) || (!times.isEmpty() && !time.isAfter(times.getLast()))) {
                throw new IllegalArgumentException("not rising, or negative");
            }
            times.add(time);
            grams.add(value);
        } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException wrong) {
            throw new Unanswerable(
                    "%s, line %d: expected a time later than the one before and grams of CO2e per kWh from 0 on, found %s"
                            .formatted(file, number, line));
        }
    }

    private static Instant time(String text) {
        return text.endsWith("Z")
                ? Instant.parse(text)
                : LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
}
