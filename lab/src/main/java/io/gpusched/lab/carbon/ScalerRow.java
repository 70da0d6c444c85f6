package io.gpusched.lab.carbon;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// One row of the table: a job, its plan and its emissions, as text with the published number of
/// digits.
public record ScalerRow(
        String zone,
        String profile,
        int start,
        int deadline,
        int maxNodes,
        String schedule,
        String emissions,
        String agnostic,
        String saving) {
    public static final String COLUMNS =
            "zone,profile,start_hour,deadline_h,max_nodes,schedule,emissions_g,agnostic_g,saving_pct";

    static ScalerRow of(ScalerJob job, String schedule, double emissions, double agnostic) {
        double saving = agnostic == 0 ? 0 : 100 * (1 - emissions / agnostic);
        return new ScalerRow(
                job.zone(),
                job.profileName(),
                job.start(),
                job.deadline(),
                job.profile().maxNodes(),
                schedule,
                digits(emissions, 6),
                digits(agnostic, 6),
                digits(saving, 4));
    }

    public String line() {
        return String.join(
                ",",
                zone,
                profile,
                String.valueOf(start),
                String.valueOf(deadline),
                String.valueOf(maxNodes),
                schedule,
                emissions,
                agnostic,
                saving);
    }

    private static String digits(double value, int places) {
        return new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN).toPlainString();
    }
}
