package io.gpusched.cli.command;

import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Lines of a time and grams of CO2 per kWh, as grid operators publish them, and the forecast that
/// they make. A first line without a figure is a heading.
///
///     time,grams
///     2026-01-05T00:00:00Z,303.8
///     2026-01-05T00:30:00Z,299.1
///
/// A forecast with a gap would be wrong, so one bad line is an error.
final class IntensityFile {
    /// The longest forecast.
    private static final Duration LONGEST = Duration.ofDays(14);

    private static final BigDecimal MOST_GRAMS = BigDecimal.valueOf(100_000);
    private static final int LONGEST_SHOWN = 60;

    private final String name;
    private final List<Instant> times = new ArrayList<>();
    private final List<Long> grams = new ArrayList<>();

    private IntensityFile(String name) {
        this.name = name;
    }

    static IntensityFile read(String name, byte[] bytes) {
        var file = new IntensityFile(name);
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\r?\n", -1);
        for (int i = 0; i < lines.length; i++) {
            boolean heading = i == 0 && !lines[0].matches(".*,\\s*-?[0-9.]+\\s*");
            if (!lines[i].isBlank() && !heading) {
                file.add(lines[i], i + 1);
            }
        }
        if (file.times.size() < 2) {
            throw new UsageError(
                    "option --file: expected two or more lines of time,grams in "
                            + name
                            + ", found "
                            + file.times.size());
        }
        return file;
    }

    private void add(String line, int number) {
        String[] cells = line.split(",", -1);
        try {
            Instant time = time(cells[0].strip());
            var value = new BigDecimal(cells.length == 2 ? cells[1].strip() : "");
            if (value.signum() < 0 || value.compareTo(MOST_GRAMS) > 0) {
                throw wrong(number, "expected 0 to 100000 grams of CO2 per kWh", line);
            }
            if (!times.isEmpty() && !time.isAfter(times.getLast())) {
                throw wrong(number, "expected a later time than in the line before", line);
            }
            Instant next = times.size() < 2 ? time : times.getLast().plus(slot());
            if (!time.equals(next)) {
                String hint = "expected " + next + ", as the lines before are " + words(slot());
                throw wrong(number, hint + " apart (fill the gap)", line);
            }
            times.add(time);
            grams.add(Math.round(value.doubleValue()));
        } catch (DateTimeException | NumberFormatException e) {
            throw wrong(number, "expected a time and a number, as 2026-01-05T00:00:00Z,303", line);
        }
    }

    private UsageError wrong(int number, String expected, String line) {
        String shown = line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) : line;
        return new UsageError(
                "option --file: %s, line %d: %s; found '%s'"
                        .formatted(name, number, expected, shown));
    }

    private static Instant time(String text) {
        return text.endsWith("Z")
                ? Instant.parse(text)
                : LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }

    private Duration slot() {
        return Duration.between(times.get(0), times.get(1));
    }

    private static String words(Duration slot) {
        return slot.toMinutes() + " minutes";
    }

    /// The curve as if it began at this time.
    IntensityFile startingAt(Instant start) {
        var moved = new IntensityFile(name);
        Duration by = Duration.between(times.getFirst(), start);
        times.forEach(time -> moved.times.add(time.plus(by)));
        moved.grams.addAll(grams);
        return moved;
    }

    /// The body of a request: the slots from the present one on, at most 14 days.
    Json request(Instant now) {
        Duration slot = slot();
        if (slot.toMinutes() < 1) {
            throw new UsageError("option --file: the slots of " + name + " are under a minute");
        }
        int first = 0;
        while (first < times.size() && !times.get(first).plus(slot).isAfter(now)) {
            first++;
        }
        if (first == times.size()) {
            throw new UsageError(
                    "option --file: "
                            + name
                            + " ended at "
                            + times.getLast().plus(slot)
                            + "; --start now moves it to the present");
        }
        int most = (int) Math.min(times.size(), first + LONGEST.dividedBy(slot));
        var all = new ArrayList<Json>();
        grams.subList(first, most).forEach(value -> all.add(Json.of(value)));
        var fields = new LinkedHashMap<String, Json>();
        fields.put("from", Json.of(times.get(first).toString()));
        fields.put("slot_minutes", Json.of(slot.toMinutes()));
        fields.put("grams", new Json.Items(all));
        return new Json.Fields(fields);
    }
}
