package io.gpusched.core.forecast;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Corrects what was foreseen by what came of earlier forecasts.
///
/// A run ahead knows nothing of jobs that come later and go before, and takes the lengths of jobs
/// for independent of each other. So starts are foreseen too early and ranges come out too narrow.
/// Every forecast that turns out too early moves its time up by a step, every one that is too late
/// moves it down, the steps being such that both balance when as many starts lie below as should:
/// one in ten below the early time, nine in ten below the late one. Whatever the forecasts are
/// like, in the long run the ranges hold what they promise.
///
///     late times: 9 of 10 starts should come sooner
///     came later → up by 9 parts            came sooner → down by 1 part
///
/// Waits are compared as ratios, and short, longer and very long ones are corrected by themselves.
/// The same calls in the same order lead to the same corrections; one thread owns it.
public final class ForecastCalibration {
    /// Waits shorter than this hardly differ.
    private static final double OFFSET = 60;

    /// Where longer waits begin to be corrected by themselves, in seconds.
    private static final double[] LONGER = {3_600, 86_400};

    private static final double[] PARTS = {0.1, 0.5, 0.9};

    /// The first steps are larger and later ones this small, in the logarithm of the wait.
    private static final double STEP = 0.03;

    private static final double FIRST_STEP = 0.25;

    private static final double FAR = 5;

    /// What has been learned of waits of about one length.
    ///
    /// @param early by how much the early time is moved, in the logarithm of the wait
    /// @param seen how many starts it was learned from
    public record Shift(double early, double middle, double late, long seen) {
        /// Before anything has come of anything, ranges are made wider by a third at both ends.
        static final Shift FIRST = new Shift(-0.3, 0, 0.3, 0);
    }

    private final List<Shift> shifts = new ArrayList<>();

    public ForecastCalibration() {
        for (int i = 0; i <= LONGER.length; i++) {
            shifts.add(Shift.FIRST);
        }
    }

    /// Goes on with what [#image] gave.
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

    /// What should have been said instead. Times that were not foreseen stay so.
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

    /// A job has started of which this had been foreseen, before any correction.
    ///
    /// @param at when it was foreseen
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
