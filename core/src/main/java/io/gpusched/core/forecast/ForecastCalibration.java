package io.gpusched.core.forecast;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Corrects start estimates by the errors of earlier estimates.
///
/// A simulated run does not see later jobs that overtake, and treats runtimes as independent. So
/// raw estimates are too early and their ranges too narrow. Every start after the estimated time
/// moves the correction up by a step, every start before it moves the correction down. The two
/// steps are weighted so that they balance when the right fraction of starts lies below: one in ten
/// below the early time, nine in ten below the late time. So in the long run the ranges hold
/// whatever the raw estimates are.
///
///     late times: 9 of 10 starts should come sooner
///     came later → up by 9 parts            came sooner → down by 1 part
///
/// Waits are compared as ratios. Short, longer and very long waits have separate corrections. The
/// same calls in the same order give the same corrections. One thread owns a calibration.
public final class ForecastCalibration {
    /// Waits shorter than this hardly differ.
    private static final double OFFSET = 60;

    /// The waits from which longer waits have a separate correction, in seconds.
    private static final double[] LONGER = {3_600, 86_400};

    private static final double[] PARTS = {0.1, 0.5, 0.9};

    /// The size of later steps, in the logarithm of the wait; the first steps are larger.
    private static final double STEP = 0.03;

    private static final double FIRST_STEP = 0.25;

    private static final double FAR = 5;

    /// The correction of waits of about one length.
    ///
    /// @param early how far the early time is moved, in the logarithm of the wait
    /// @param seen the number of starts that it was learned from
    public record Shift(double early, double middle, double late, long seen) {
        /// Before any start was observed, ranges are widened by about a third at both ends.
        static final Shift FIRST = new Shift(-0.3, 0, 0.3, 0);
    }

    private final List<Shift> shifts = new ArrayList<>();

    public ForecastCalibration() {
        for (int i = 0; i <= LONGER.length; i++) {
            shifts.add(Shift.FIRST);
        }
    }

    /// Restores a calibration from its [#image].
    public static ForecastCalibration restored(List<Shift> image) {
        var forecastCalibration = new ForecastCalibration();
        for (int i = 0; i < Math.min(image.size(), forecastCalibration.shifts.size()); i++) {
            forecastCalibration.shifts.set(i, image.get(i));
        }
        return forecastCalibration;
    }

    public List<Shift> image() {
        return List.copyOf(shifts);
    }

    /// The corrected estimate. Times that are null stay null.
    public StartEstimate corrected(StartEstimate foreseen, Instant now) {
        Shift shift = shifts.get(length(foreseen, now));
        Instant middle = moved(foreseen.middle(), shift.middle, now);
        Instant early = moved(foreseen.early(), shift.early, now);
        Instant late = moved(foreseen.late(), shift.late, now);
        return new StartEstimate(
                early != null && middle != null && middle.isBefore(early) ? middle : early,
                middle,
                late != null && middle != null && middle.isAfter(late) ? middle : late);
    }

    /// Learns from a job that has started.
    ///
    /// @param foreseen the raw estimate of its start
    /// @param at when the estimate was made
    public void started(StartEstimate foreseen, Instant at, Instant started) {
        int length = length(foreseen, at);
        Shift old = shifts.get(length);
        double step = Math.max(STEP, FIRST_STEP / StrictMath.sqrt(old.seen + 1.0));
        double wait = log(started, at);
        shifts.set(
                length,
                new Shift(
                        next(old.early, foreseen.early(), at, wait, step, PARTS[0]),
                        next(old.middle, foreseen.middle(), at, wait, step, PARTS[1]),
                        next(old.late, foreseen.late(), at, wait, step, PARTS[2]),
                        old.seen + 1));
    }

    private static double next(
            double shift, @Nullable Instant said, Instant at, double wait, double step, double p) {
        if (said == null) {
            return shift;
        }
        boolean cameLater = wait > log(said, at) + shift;
        return Math.clamp(shift + step * (cameLater ? p : p - 1), -FAR, FAR);
    }

    private static @Nullable Instant moved(@Nullable Instant said, double shift, Instant now) {
        if (said == null || shift == 0) {
            return said;
        }
        double seconds = StrictMath.exp(log(said, now) + shift) - OFFSET;
        return now.plus(Duration.ofMillis((long) (1000 * Math.clamp(seconds, 0, 1e9))));
    }

    private static double log(Instant then, Instant now) {
        return StrictMath.log(OFFSET + Math.max(0, Duration.between(now, then).toMillis() / 1e3));
    }

    private static int length(StartEstimate foreseen, Instant now) {
        Instant middle = foreseen.middle();
        double seconds =
                middle == null ? Double.MAX_VALUE : Duration.between(now, middle).toMillis() / 1e3;
        int length = 0;
        while (length < LONGER.length && seconds >= LONGER[length]) {
            length++;
        }
        return length;
    }
}
