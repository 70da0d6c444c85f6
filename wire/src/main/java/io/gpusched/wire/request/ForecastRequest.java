package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.RegionForecast;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Reads and writes the forecast of the carbon intensity of power in a region.
///
///     {"from": "2026-01-05T00:00:00Z", "slot_minutes": 60, "grams": [310, 280, 120]}
public final class ForecastRequest {
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_TIME = 40;
    private static final int MOST_SLOTS = 4_032;
    private static final int MOST_GRAMS = 100_000;
    private static final String EXAMPLE = "write for example [310, 280, 120]";

    private ForecastRequest() {}

    public static Parsed<RegionForecast, Problem> read(JsonTree.Mapping body, String region) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var fields = new RequestFields(body, problems);
        fields.value("region");
        if (!region.matches("[A-Za-z0-9][A-Za-z0-9._-]*") || region.length() > LONGEST_NAME) {
            fields.problem(
                    "region",
                    "expected up to 63 letters, digits, dots and hyphens, found "
                            + new JsonTree.Text(region).shown(),
                    "write the value of the node label region, or default");
        }
        Instant from = time(fields);
        int minutes = fields.integer("slot_minutes", 60, 5, 1_440);
        List<Integer> grams = grams(fields);
        fields.value("now");
        fields.value("until");
        warnings.addAll(fields.unknown());
        return problems.isEmpty() && from != null
                ? Parsed.of(
                        new RegionForecast(region, from, Duration.ofMinutes(minutes), grams),
                        warnings,
                        problems)
                : new Parsed.Invalid<>(problems);
    }

    /// A time that the journal cannot hold would stop the scheduler.
    private static @Nullable Instant time(RequestFields fields) {
        String text = fields.text("from", "", LONGEST_TIME);
        try {
            Instant from = Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
            if (from.isBefore(Instant.EPOCH) || from.isAfter(RequestBounds.LATEST)) {
                throw new DateTimeException("out of range");
            }
            return from;
        } catch (DateTimeException e) {
            fields.problem(
                    "from",
                    "from must be the time since 1970 at which the first slot begins, found "
                            + (text.isEmpty() ? "none" : new JsonTree.Text(text).shown()),
                    "write for example \"2026-01-05T00:00:00Z\"");
            return null;
        }
    }

    private static List<Integer> grams(RequestFields fields) {
        if (!(fields.value("grams") instanceof JsonTree.Items(List<JsonTree> items))) {
            fields.problem(
                    "grams", "grams must be a list of grams of CO2 per kWh, one per slot", EXAMPLE);
            return List.of();
        }
        if (items.isEmpty() || items.size() > MOST_SLOTS) {
            fields.problem(
                    "grams",
                    "grams has %d slots, expected 1 to %d".formatted(items.size(), MOST_SLOTS),
                    "send at most 14 days");
            return List.of();
        }
        var grams = new ArrayList<Integer>(items.size());
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof JsonTree.Whole(long value)
                    && value >= 0
                    && value <= MOST_GRAMS) {
                grams.add((int) value);
            } else {
                fields.invalid(
                        "grams[" + i + "]",
                        "a whole number from 0 to " + MOST_GRAMS,
                        items.get(i),
                        "round it, and leave no slot out");
                return List.of();
            }
        }
        return grams;
    }
}
