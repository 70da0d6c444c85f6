package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A forecast of the carbon intensity of power in a region, as it was given.
///
/// @param from when the first slot begins
/// @param slot how long each slot is
/// @param grams of CO2 equivalent per kilowatt-hour, slot by slot
public record RegionForecast(String region, Instant from, Duration slot, List<Integer> grams) {
    public static final Duration SHORTEST_SLOT = Duration.ofMinutes(5);
    public static final Duration LONGEST_SLOT = Duration.ofDays(1);

    /// The longest time that a forecast may cover.
    public static final Duration LONGEST = Duration.ofDays(14);

    public RegionForecast {
        grams = List.copyOf(grams);
        Check.that(slot.compareTo(Duration.ZERO) > 0, "a slot has a length, found %s", slot);
        Check.that(!grams.isEmpty(), "the forecast of %s has no slots", region);
    }

    /// When the last slot ends.
    public Instant end() {
        return from.plus(slot.multipliedBy(grams.size()));
    }

    /// The grams at a time; null if the forecast does not cover it.
    public @Nullable Integer at(Instant time) {
        return time.isBefore(from) || !time.isBefore(end())
                ? null
                : grams.get((int) Duration.between(from, time).dividedBy(slot));
    }

    /// The form in which starts are searched.
    public CarbonForecast toForecast() {
        return new CarbonForecast(
                from, slot, grams.stream().mapToDouble(Integer::doubleValue).toArray());
    }
}
