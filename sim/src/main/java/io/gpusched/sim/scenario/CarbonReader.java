package io.gpusched.sim.scenario;

import io.gpusched.sim.metrics.GridIntensity;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.IntensityReader;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Reads the carbon section of a scenario.
///
///     carbon: {intensity: germany.csv, slack: 8h, up_to_priority: 50}
///     carbon: {intensity: [300, 120, 310], every: 1h}
final class CarbonReader {
    private CarbonReader() {}

    static ScenarioCarbon rules(YamlSection yamlSection, Instant start, Path folder) {
        var rules =
                new ScenarioCarbon(
                        curve(yamlSection, start, folder),
                        start,
                        yamlSection.duration("slack", ScenarioCarbon.USUAL_SLACK),
                        yamlSection.count(
                                "up_to_priority", Integer.MIN_VALUE, ScenarioCarbon.USUAL_UP_TO));
        yamlSection.end();
        return rules;
    }

    private static @Nullable GridIntensity curve(
            YamlSection yamlSection, Instant start, Path folder) {
        Duration every = yamlSection.duration("every", Duration.ofHours(1));
        List<String> texts = yamlSection.texts("intensity");
        if (texts.isEmpty()) {
            return null;
        }
        if (texts.size() > 1 || isNumber(texts.getFirst())) {
            return listed(yamlSection, texts, start, every);
        }
        try {
            return IntensityReader.read(folder.resolve(texts.getFirst()));
        } catch (BadTrace bad) {
            throw yamlSection.bad("intensity", String.valueOf(bad.getMessage()));
        }
    }

    private static GridIntensity listed(
            YamlSection yamlSection, List<String> texts, Instant start, Duration every) {
        if (every.toMillis() == 0) {
            throw yamlSection.bad("every", "expected a time above zero, found 0");
        }
        var times = new ArrayList<Instant>();
        var grams = new ArrayList<Double>();
        for (String text : texts) {
            if (!isNumber(text)) {
                throw yamlSection.bad(
                        "intensity",
                        "expected a file, or grams of CO2e per kWh from 0 on, found " + text);
            }
            times.add(start.plus(every.multipliedBy(times.size())));
            grams.add(Double.parseDouble(text));
        }
        return GridIntensity.steps(times, grams);
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,9}([.][0-9]{1,9})?");
    }
}
