package io.gpusched.lab.carbon;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.policy.gate.ScalingProfile;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.CsvFile;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Reads the files of the experiment. A missing hour would shift the rest, so every row must be
/// right.
public final class ScalerFiles {
    public static final String EXPECTED = "expected_carbon_scaler";
    public static final String INTENSITY = "electricitymaps_hourly";

    private static final String TIME = "datetime_utc";
    private static final String ZONE = "zone";
    private static final String GRAMS = "ci_direct_g_per_kwh";
    private static final double MOST_GRAMS = 1e6;
    private static final int MOST_HOURS = 10_000_000;

    /// Published measurements of an n-body program with 10,000 and 100,000 bodies on 1 to 7 nodes.
    private static final Map<String, ScalingProfile> PROFILES =
            new TreeMap<>(
                    Map.of(
                            "nbody100k",
                            new ScalingProfile(
                                    List.of(
                                            0.0,
                                            1757.8908686976195,
                                            3496.3996474651103,
                                            5104.3944617012185,
                                            6661.952186308102,
                                            8073.214680924454,
                                            9447.749384138653,
                                            10747.782862749653),
                                    List.of(
                                            0.0,
                                            54.77962427087617,
                                            109.80497076152103,
                                            161.22449885915682,
                                            217.60732958554,
                                            273.1548352612487,
                                            331.2253152799572,
                                            390.73159215346425)),
                            "nbody10k",
                            new ScalingProfile(
                                    List.of(
                                            0.0,
                                            16130.263301548106,
                                            26084.902766614217,
                                            34977.82018587672,
                                            41228.85476314777,
                                            47430.986825779524,
                                            52196.29225924978,
                                            56212.42180881337),
                                    List.of(
                                            0.0,
                                            51.98662779725372,
                                            104.8738026807935,
                                            154.72681313525464,
                                            207.53221233212847,
                                            259.09560823722086,
                                            311.5850399494926,
                                            366.3482810890281))));

    private final Path intensity;
    private final Map<String, CarbonForecast> zones = new TreeMap<>();

    public ScalerFiles(Path intensity) {
        this.intensity = intensity;
        var grams = new TreeMap<String, List<Double>>();
        var starts = new TreeMap<String, LocalDateTime>();
        CsvFile.rows(
                intensity,
                "hourly carbon intensity",
                List.of(TIME, ZONE, GRAMS),
                row -> addHour(row, grams, starts));
        grams.forEach(
                (zone, hours) ->
                        zones.put(
                                zone,
                                new CarbonForecast(
                                        start(starts, zone).toInstant(ZoneOffset.UTC),
                                        Duration.ofHours(1),
                                        hours.stream().mapToDouble(each -> each).toArray())));
    }

    private static boolean addHour(
            CsvFile.Row row, Map<String, List<Double>> grams, Map<String, LocalDateTime> starts) {
        String zone = row.text(ZONE);
        LocalDateTime time = LocalDateTime.parse(row.text(TIME).replace(' ', 'T'));
        double value = row.number(GRAMS);
        if (zone.isEmpty() || !(value >= 0 && value <= MOST_GRAMS)) {
            throw new IllegalArgumentException(GRAMS + " is not a number from 0 to 1000000");
        }
        List<Double> hours = grams.computeIfAbsent(zone, ignored -> new ArrayList<>());
        starts.putIfAbsent(zone, time);
        LocalDateTime next = start(starts, zone).plusHours(hours.size());
        if (!time.equals(next)) {
            throw new IllegalArgumentException("the next hour of " + zone + " is " + next);
        }
        return hours.add(value);
    }

    private static LocalDateTime start(Map<String, LocalDateTime> starts, String zone) {
        LocalDateTime start = starts.get(zone);
        if (start == null) {
            throw new IllegalStateException("no hour of " + zone);
        }
        return start;
    }

    /// Reads each expected row and the job that it is about.
    public void rows(Path file, BiConsumer<ScalerRow, ScalerJob> each) {
        List<ScalerRow> rows =
                CsvFile.rows(
                        file,
                        "expected schedules",
                        List.of(ScalerRow.COLUMNS.split(",", -1)),
                        ScalerFiles::row);
        for (int i = 0; i < rows.size(); i++) {
            each.accept(rows.get(i), job(file, i, rows.get(i)));
        }
    }

    private static ScalerRow row(CsvFile.Row row) {
        row.number("emissions_g");
        row.number("agnostic_g");
        row.number("saving_pct");
        return new ScalerRow(
                row.text(ZONE),
                row.text("profile"),
                row.whole("start_hour", 0, MOST_HOURS),
                row.whole("deadline_h", 1, MOST_HOURS),
                row.whole("max_nodes", 1, 7),
                row.text("schedule"),
                row.text("emissions_g"),
                row.text("agnostic_g"),
                row.text("saving_pct"));
    }

    private ScalerJob job(Path file, int index, ScalerRow row) {
        ScalingProfile profile = PROFILES.get(row.profile());
        CarbonForecast hours = zones.get(row.zone());
        if (profile == null) {
            throw wrong(file, index, "profile one of " + PROFILES.keySet(), row.profile());
        }
        if (hours == null) {
            throw wrong(file, index, "zone one of " + zones.keySet(), row.zone());
        }
        int end = row.start() + Math.max(row.deadline(), ScalerJob.WORK_HOURS);
        if (end > hours.slots()) {
            throw wrong(
                    file,
                    index,
                    "start_hour and deadline_h within the %d hours of %s in %s"
                            .formatted(hours.slots(), row.zone(), intensity),
                    row.start() + " and " + row.deadline());
        }
        return new ScalerJob(
                row.zone(),
                row.profile(),
                ScalerJob.upTo(profile, row.maxNodes()),
                hours,
                row.start(),
                row.deadline());
    }

    private static BadTrace wrong(Path file, int index, String expected, String found) {
        return new BadTrace(
                "%s, row %d: expected %s, found %s; correct this row"
                        .formatted(file, index + 1, expected, found));
    }
}
