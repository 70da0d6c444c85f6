package io.gpusched.lab.carbon;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// All figures of the experiment for one region.
public final class CarbonRuns {
    public static final String NIGHTLY = "scenario1";

    private static final int MOST_ASIDE = 16;
    private static final String SAVING = "saving %";

    private final String region;
    private final Shifting shifting;

    public CarbonRuns(String region, LocalDate from, double[] grams, List<ShiftedJob> jobs) {
        this.region = region;
        this.shifting = new Shifting(from.atStartOfDay(), grams, jobs);
    }

    /// Tonnes of CO2 when no job waits.
    public CarbonFigure baseline() {
        return new CarbonFigure(
                region, "baseline", "-", "none", shifting.baseline(), 4, "tCO2 at 1 kW per job");
    }

    /// Savings of jobs in one piece (`non`) and of jobs that may pause (`int`).
    public List<CarbonFigure> savings(Deadline deadline, double error) {
        String shown =
                String.format(Locale.ROOT, error == Math.rint(error) ? "%.0f%%" : "%s%%", error);
        String unit = error == 0 ? SAVING : SAVING + " (mean of 10 noise seeds)";
        return List.of(
                new CarbonFigure(
                        region,
                        deadline.toString(),
                        "non",
                        shown,
                        shifting.saving(deadline, false, error),
                        3,
                        unit),
                new CarbonFigure(
                        region,
                        deadline.toString(),
                        "int",
                        shown,
                        shifting.saving(deadline, true, error),
                        3,
                        unit));
    }

    /// The intensity of a nightly half hour that may be shifted by up to eight hours.
    public List<CarbonFigure> nightly() {
        var figures = new ArrayList<CarbonFigure>();
        for (int aside = 0; aside <= MOST_ASIDE; aside++) {
            figures.add(
                    new CarbonFigure(
                            region,
                            NIGHTLY,
                            String.format(Locale.ROOT, "+-%.1fh", aside / 2.0),
                            "0%",
                            shifting.nightly(aside),
                            4,
                            "sum of chosen CI / 365"));
        }
        return figures;
    }
}
