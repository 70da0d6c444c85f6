package io.gpusched.lab.carbon;

import java.util.Locale;

/// One number of the experiment, with what it is about.
///
/// @param error of the forecast, as `0%` or `none`
/// @param digits after the point that are told
public record CarbonFigure(
        String region,
        String strategy,
        String variant,
        String error,
        double value,
        int digits,
        String unit) {
    public static final String COLUMNS = "region,strategy,variant,forecast_error,value,unit";

    /// What it is about.
    String key() {
        return String.join(",", region, strategy, variant, error);
    }

    /// The value with so many digits.
    String shown(int places) {
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }

    String shown() {
        return shown(digits);
    }

    public String row() {
        return key() + "," + shown() + "," + unit;
    }
}
