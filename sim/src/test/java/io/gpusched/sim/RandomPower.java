package io.gpusched.sim;

import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.Regions;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.scenario.UserAction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Forecasts of carbon intensity, and jobs that go by them, drawn from a seed of their own, so that
/// everything else in a random life stays as it was.
final class RandomPower {
    private static final List<String> REGIONS = List.of("east", Regions.DEFAULT);
    private static final int MINUTES = 90;

    private final SeededRandom random;

    RandomPower(long seed) {
        this.random = SeededRandom.of(seed, "power", 0);
    }

    Labels region(Labels labels) {
        return random.chance(0.3) ? labels.with("region", "east") : labels;
    }

    CarbonPreference preference() {
        if (random.chance(0.7)) {
            return CarbonPreference.NONE;
        }
        return new CarbonPreference(
                random.chance(0.8) ? Duration.ofMinutes(random.between(0, 60)) : null,
                random.pick(List.of(0, 0, 150)),
                random.chance(0.5) ? List.of(random.pick(REGIONS)) : List.of(),
                random.pick(List.of(Integer.MAX_VALUE, 50)));
    }

    /// Some are replaced, some removed, and some end while jobs wait.
    List<RandomScenario.Entry> script() {
        var all = new ArrayList<RandomScenario.Entry>();
        for (int i = random.between(0, 6); i > 0; i--) {
            Duration at = Duration.ofSeconds(random.between(0, MINUTES * 60));
            String region = random.pick(REGIONS);
            var grams = new ArrayList<Integer>();
            for (int slots = random.between(3, 24); slots > 0; slots--) {
                grams.add(random.between(50, 400));
            }
            var from = Scenario.DEFAULT_START.plus(at).minusSeconds(random.between(0, 200));
            Duration slot = Duration.ofMinutes(random.between(5, 15));
            var forecast = new RegionForecast(region, from, slot, grams);
            all.add(new RandomScenario.Entry.Deed(new UserAction.PutForecast(at, forecast)));
            if (random.chance(0.2)) {
                Duration gone = at.plusSeconds(random.between(60, 3_000));
                all.add(new RandomScenario.Entry.Deed(new UserAction.RemoveForecast(gone, region)));
            }
        }
        return all;
    }
}
