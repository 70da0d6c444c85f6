package io.gpusched.core.policy.gate;

import io.gpusched.core.model.Check;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/// How much carbon a kilowatt-hour is foreseen to cost, in slots of equal length, and when in there
/// a job would cost the least.
///
/// Finding a start takes one pass over the slots it may choose from.
///
///     g/kWh   300  280  120  110  260     a job of two slots that must end with the last one
///                       ^^^^^^^^          starts here if it runs in one piece
public final class CarbonForecast {
    private final Instant from;
    private final Duration slot;
    private final double[] grams;

    /// What all slots before each one cost together.
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

    /// The slot that holds the instant; below 0 or beyond the last one where nothing is foreseen.
    public int slotAt(Instant instant) {
        Duration since = Duration.between(from, instant);
        long whole = since.dividedBy(slot);
        boolean before = since.isNegative() && !slot.multipliedBy(whole).equals(since);
        return Math.clamp(before ? whole - 1 : whole, -1, grams.length);
    }

    public Instant start(int index) {
        return from.plus(slot.multipliedBy(index));
    }

    /// Where `length` slots in a row, all within `first` to `last`, cost the least together; the
    /// earliest of equals. `first` where they do not fit in.
    ///
    /// Asked again when some of the first slots have passed, it gives the same start as long as
    /// that is still to come: what slots cost together does not depend on who asks.
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

    /// The largest figure among the `length` smallest within `first` to `last`: a job that may
    /// pause runs in every slot that costs no more.
    public double affordable(int first, int last, int length) {
        int end = Math.min(last + 1, grams.length);
        double[] sorted = Arrays.copyOfRange(grams, first, end);
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[Math.min(length, sorted.length) - 1];
    }
}
