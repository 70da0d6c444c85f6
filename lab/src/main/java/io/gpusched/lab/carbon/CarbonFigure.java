package io.gpusched.lab.carbon;

import java.util.Locale;

/// One figure of the carbon experiment.
///
/// @param error the error of the forecast, as `0%` or `none`
/// @param digits the number of decimals
public record CarbonFigure(
        String region,
        String strategy,
        String variant,
        String error,
        double value,
        int digits,
        String unit) {
    public static final String COLUMNS = "region,strategy,variant,forecast_error,value,unit";

    /// The key of the figure: everything but its value.
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
