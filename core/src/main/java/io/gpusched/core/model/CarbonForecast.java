package io.gpusched.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/// A forecast of the carbon intensity of power, in slots of equal length, and the search for the
/// start at which a job would emit the least.
///
/// Finding a start takes one pass over the slots from which it may choose.
///
///     g/kWh   300  280  120  110  260     a job of two slots that must end with the last one
///                       ^^^^^^^^          starts here if it runs in one piece
public final class CarbonForecast {
    private final Instant from;
    private final Duration slot;
    private final double[] grams;

    /// The sum over all slots before each one.
    private final double[] upTo;

    /// @param from when the first slot begins
    /// @param slot how long each is
    /// @param grams per kilowatt-hour, slot by slot
    public CarbonForecast(Instant from, Duration slot, double[] grams) {
        Check.that(slot.compareTo(Duration.ZERO) > 0, "a slot has a length, found %s", slot);
        this.from = from;
        this.slot = slot;
        this.grams = grams.clone();
        this.upTo = new double[grams.length + 1];
        for (int i = 0; i < grams.length; i++) {
            upTo[i + 1] = upTo[i] + grams[i];
        }
    }

    public int slots() {
        return grams.length;
    }

    public Duration slot() {
        return slot;
    }

    public double grams(int index) {
        return grams[index];
    }

    /// The slot of the instant; below 0 or beyond the last one where there is no forecast.
    public int slotAt(Instant instant) {
        Duration since = Duration.between(from, instant);
        long whole = since.dividedBy(slot);
        boolean before = since.isNegative() && !slot.multipliedBy(whole).equals(since);
        return Math.clamp(before ? whole - 1 : whole, -1, grams.length);
    }

    public Instant start(int index) {
        return from.plus(slot.multipliedBy(index));
    }

    /// The start of the `length` consecutive slots within `first` to `last` with the lowest sum;
    /// the earliest of equals. `first` where they do not fit.
    ///
    /// If called again when some of the first slots have passed, it gives the same start as long as
    /// that is still in the future: the sum of slots does not depend on the caller.
    public int cleanestStart(int first, int last, int length) {
        int end = Math.min(last, grams.length - 1);
        double least = Double.MAX_VALUE;
        int best = first;
        for (int start = first; start + length - 1 <= end; start++) {
            double cost = length == 1 ? grams[start] : upTo[start + length] - upTo[start];
            if (cost < least) {
                least = cost;
                best = start;
            }
        }
        return best;
    }

    /// The first start of `length` consecutive slots within `first` to `last` whose mean is at most
    /// `most`; -1 if there is none.
    public int firstStartUpTo(double most, int first, int last, int length) {
        int end = Math.min(last, grams.length - 1);
        for (int start = first; start + length - 1 <= end; start++) {
            if (upTo[start + length] - upTo[start] <= most * length) {
                return start;
            }
        }
        return -1;
    }

    /// The mean of `length` consecutive slots.
    public double mean(int first, int length) {
        return (upTo[first + length] - upTo[first]) / length;
    }

    /// The largest figure among the `length` smallest within `first` to `last`: a job that may
    /// pause runs in every slot up to this intensity.
    public double affordable(int first, int last, int length) {
        int end = Math.min(last + 1, grams.length);
        double[] sorted = Arrays.copyOfRange(grams, first, end);
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[Math.min(length, sorted.length) - 1];
    }
}
