package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.state.ClusterState;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Answers commands about forecasts of carbon intensity.
final class CarbonCommandHandler {
    /// Every snapshot holds all forecasts.
    private static final int MOST_REGIONS = 100;

    private static final int MOST_GRAMS = 100_000;

    private final ClusterState state;
    private final Instant now;

    CarbonCommandHandler(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    /// A command that changes nothing needs no event.
    Answer to(Command.PutForecast c) {
        List<Problem> problems = problems(c.forecast());
        if (!problems.isEmpty()) {
            return new Answer.Rejected(problems);
        }
        return c.forecast().equals(state.carbon().find(c.forecast().region()))
                ? Answer.accepted()
                : Answer.accepted(new Event.ForecastPut(now, c.forecast(), c.by()));
    }

    Answer to(Command.RemoveForecast c) {
        return state.carbon().find(c.region()) == null
                ? Answer.rejected(
                        Problem.Code.UNKNOWN_REGION,
                        "region",
                        "there is no carbon forecast of the region " + c.region(),
                        "list the forecasts")
                : Answer.accepted(new Event.ForecastRemoved(now, c.region(), c.by()));
    }

    private List<Problem> problems(RegionForecast forecast) {
        var problems = new ArrayList<Problem>();
        Duration slot = forecast.slot();
        if (forecast.region().isBlank()) {
            problems.add(invalid("region", "the region has no name", "name one, such as default"));
        }
        if (slot.compareTo(RegionForecast.SHORTEST_SLOT) < 0
                || slot.compareTo(RegionForecast.LONGEST_SLOT) > 0) {
            problems.add(
                    invalid(
                            "slot_minutes",
                            "expected slots of 5 to 1440 minutes, found " + slot,
                            "join shorter slots by their mean, or repeat longer ones"));
        }
        long most = RegionForecast.LONGEST.dividedBy(slot);
        if (forecast.grams().size() > most) {
            problems.add(
                    invalid(
                            "grams",
                            "expected at most 14 days, which are "
                                    + most
                                    + " slots, found "
                                    + forecast.grams().size(),
                            "leave out the last slots"));
        } else if (!forecast.end().isAfter(now)) {
            problems.add(
                    invalid(
                            "from",
                            "the forecast ended at " + forecast.end() + ", it is " + now,
                            "send one that covers times to come"));
        } else if (forecast.from().isAfter(now.plus(RegionForecast.LONGEST))) {
            problems.add(
                    invalid(
                            "from",
                            "the forecast begins in more than 14 days, at " + forecast.from(),
                            "send one that begins earlier"));
        }
        grams(forecast.grams(), problems);
        if (state.carbon().find(forecast.region()) == null
                && state.carbon().all().size() >= MOST_REGIONS) {
            problems.add(
                    invalid(
                            "region",
                            "there are forecasts of " + MOST_REGIONS + " regions already",
                            "remove one first"));
        }
        return problems;
    }

    private static void grams(List<Integer> all, List<Problem> problems) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) < 0 || all.get(i) > MOST_GRAMS) {
                problems.add(
                        invalid(
                                "grams",
                                "expected 0 to "
                                        + MOST_GRAMS
                                        + " grams of CO2 per kWh, found "
                                        + all.get(i)
                                        + " in slot "
                                        + (i + 1),
                                "the nearest is " + Math.clamp(all.get(i), 0, MOST_GRAMS)));
                return;
            }
        }
    }

    private static Problem invalid(String field, String message, String hint) {
        return new Problem(Problem.Code.INVALID, field, message, hint);
    }
}
