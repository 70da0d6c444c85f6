package io.gpusched.sim.scenario;

import io.gpusched.sim.metrics.Intensity;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.IntensityReader;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Reads what a scenario says about power.
///
///     carbon: {intensity: germany.csv, slack: 8h, up_to_priority: 50}
///     carbon: {intensity: [300, 120, 310], every: 1h}
final class CarbonReader {
    private CarbonReader() {}

    static CarbonRules rules(Section section, Instant start, Path folder) {
        var rules =
                new CarbonRules(
                        curve(section, start, folder),
                        start,
                        section.duration("slack", CarbonRules.USUAL_SLACK),
                        section.count(
                                "up_to_priority", Integer.MIN_VALUE, CarbonRules.USUAL_UP_TO));
        section.end();
        return rules;
    }

    private static @Nullable Intensity curve(Section section, Instant start, Path folder) {
        Duration every = section.duration("every", Duration.ofHours(1));
        List<String> texts = section.texts("intensity");
        if (texts.isEmpty()) {
            return null;
        }
        if (texts.size() > 1 || isNumber(texts.getFirst())) {
            return listed(section, texts, start, every);
        }
        try {
            return IntensityReader.read(folder.resolve(texts.getFirst()));
        } catch (BadTrace bad) {
            throw section.bad("intensity", String.valueOf(bad.getMessage()));
        }
    }

    private static Intensity listed(
            Section section, List<String> texts, Instant start, Duration every) {
        if (every.toMillis() == 0) {
            throw section.bad("every", "expected a time above zero, found 0");
        }
        var times = new ArrayList<Instant>();
        var grams = new ArrayList<Double>();
        for (String text : texts) {
            if (!isNumber(text)) {
                throw section.bad(
                        "intensity",
                        "expected a file, or grams of CO2e per kWh from 0 on, found " + text);
            }
            times.add(start.plus(every.multipliedBy(times.size())));
            grams.add(Double.parseDouble(text));
        }
        return Intensity.steps(times, grams);
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,9}([.][0-9]{1,9})?");
    }
}
