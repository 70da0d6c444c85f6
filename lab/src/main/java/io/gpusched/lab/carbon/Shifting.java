package io.gpusched.lab.carbon;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.sim.generate.PermutedStream;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/// The published experiment "Let's Wait Awhile" (Middleware 2021): the carbon of a year of jobs
/// when each is shifted to the slots that are forecast to be cleanest before its deadline.
///
/// Time is in slots of half an hour. The forecast is the true intensity with noise; the emissions
/// use the true one. As published, the window of a job reaches one slot beyond its deadline, so the
/// baseline, jobs without slack, may also start one slot late.
public final class Shifting {
    static final Duration SLOT = Duration.ofMinutes(30);

    /// How often noise is drawn.
    private static final int REPEATS = 10;

    private static final int PER_DAY = 48;
    private static final int NIGHTLY = 2;
    private static final int DAYS = 365;

    private final LocalDateTime from;
    private final double[] truth;
    private final List<ShiftedJob> jobs;

    Shifting(LocalDateTime from, double[] truth, List<ShiftedJob> jobs) {
        this.from = from;
        this.truth = truth;
        this.jobs = List.copyOf(jobs);
    }

    /// Tonnes of CO2 of all jobs at 1 kW each when no job waits.
    double baseline() {
        return tonnes(paid(null, truth, false));
    }

    /// The savings, in percent of the baseline.
    ///
    /// @param pausing whether jobs may pause and resume
    /// @param error of the forecast, in percent of the mean intensity
    double saving(Deadline deadline, boolean pausing, double error) {
        double usual = paid(null, truth, false);
        if (error == 0) {
            return 100 * (1 - paid(deadline, truth, pausing) / usual);
        }
        double sum = 0;
        for (int seed = 0; seed < REPEATS; seed++) {
            sum += 100 * (1 - paid(deadline, noisy(seed, error), pausing) / usual);
        }
        return sum / REPEATS;
    }

    private double[] noisy(int seed, double error) {
        double mean = 0;
        for (double each : truth) {
            mean += each / truth.length;
        }
        var random = new PermutedStream(seed);
        double[] noisy = truth.clone();
        for (int i = 0; i < noisy.length; i++) {
            noisy[i] += random.normal(0, error / 100 * mean);
        }
        return noisy;
    }

    /// Intensity summed over all slots in which jobs run.
    private double paid(@Nullable Deadline deadline, double[] foreseen, boolean pausing) {
        var forecast = new CarbonForecast(from.toInstant(ZoneOffset.UTC), SLOT, foreseen);
        double paid = 0;
        for (ShiftedJob job : jobs) {
            int last = job.arrival() + job.slots() + slack(job, deadline);
            paid += pausing ? inPieces(forecast, job, last) : inOnePiece(forecast, job, last);
        }
        return paid;
    }

    private int slack(ShiftedJob job, @Nullable Deadline deadline) {
        LocalDateTime end = from.plus(SLOT.multipliedBy(job.arrival() + (long) job.slots()));
        return deadline == null
                ? 0
                : (int) Duration.between(end, deadline.after(end)).dividedBy(SLOT);
    }

    private double inOnePiece(CarbonForecast forecast, ShiftedJob job, int last) {
        int start = forecast.cleanestStart(job.arrival(), last, job.slots());
        double paid = 0;
        for (int i = start; i < Math.min(truth.length, start + job.slots()); i++) {
            paid += truth[i];
        }
        return paid;
    }

    private double inPieces(CarbonForecast forecast, ShiftedJob job, int last) {
        double most = forecast.affordable(job.arrival(), last, job.slots());
        double paid = 0;
        for (int i = job.arrival(); i <= Math.min(truth.length - 1, last); i++) {
            paid += forecast.grams(i) <= most ? truth[i] : 0;
        }
        return paid;
    }

    private static double tonnes(double summed) {
        return summed / 2 / 1e6;
    }

    /// The first scenario: the mean intensity, in grams per kWh over a year, of half an hour every
    /// night at 01:00 that may be shifted by this many slots to either side. As published, a night
    /// too near the beginning to be shifted is left out of the sum but counted.
    double nightly(int aside) {
        var forecast = new CarbonForecast(from.toInstant(ZoneOffset.UTC), SLOT, truth);
        int days = Math.min(DAYS, truth.length / PER_DAY);
        double paid = 0;
        for (int day = 0; day < days; day++) {
            int first = day * PER_DAY + NIGHTLY - aside;
            if (first >= 0 && first + 2 * aside < truth.length) {
                paid += truth[forecast.cleanestStart(first, first + 2 * aside, 1)];
            }
        }
        return paid / Math.max(1, days);
    }
}
