package io.gpusched.server.agents;

import io.gpusched.core.model.Heat;

/// Maps temperatures to the three levels that decisions use, with hysteresis: a GPU that hovers
/// around a threshold changes its level once, not every few seconds.
///
///     75 °C    70    65    60        (hot from 75, no longer hot below 70,
///     HOT ··········▶ WARM ····▶ COOL    warm from 65, no longer warm below 60)
///
/// @param hotFrom degrees Celsius at which a GPU takes no new tasks
public record HeatQuantizer(double hotFrom) {
    public static final HeatQuantizer DEFAULT = new HeatQuantizer(75);

    private static final double SLACK = 5;
    private static final double WARM_BELOW_HOT = 10;

    /// The heat of a GPU that had heat `before` and now has this temperature.
    public Heat heat(Heat before, double celsius) {
        double hotUntil = before == Heat.HOT ? hotFrom - SLACK : hotFrom;
        if (celsius >= hotUntil) {
            return Heat.HOT;
        }
        double warmFrom = hotFrom - WARM_BELOW_HOT;
        double warmUntil = before == Heat.COOL ? warmFrom : warmFrom - SLACK;
        return celsius >= warmUntil ? Heat.WARM : Heat.COOL;
    }
}
