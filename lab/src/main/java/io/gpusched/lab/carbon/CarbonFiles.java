package io.gpusched.lab.carbon;

import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.Excerpt;
import io.gpusched.sim.trace.TextLines;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/// Reads the files of the experiment, compressed or not. Rows that cannot be used are counted and
/// reported with their line numbers.
public final class CarbonFiles {
    private static final String INTENSITY = "Time,Carbon Intensity";
    private static final String JOBS = "job_id,arrival_min,duration_min";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final int MOST_TOLD = 10;

    private final List<String> complaints = new ArrayList<>();
    private int bad;

    /// The problems of rows so far: the first few as sentences, then their number.
    public List<String> complaints() {
        var all = new ArrayList<>(complaints);
        if (bad > MOST_TOLD) {
            all.add("and " + (bad - MOST_TOLD) + " more rows like these were left out");
        }
        return all;
    }

    /// The intensity in half hours from midnight of the day on. As published, rows count by
    /// position: a missing row would shift the rest. Therefore rows out of order are an error.
    public double[] intensity(Path file, LocalDate from) {
        var grams = new ArrayList<Double>();
        LocalDateTime last = LocalDateTime.MIN;
        List<String> lines = lines(file, INTENSITY);
        for (int i = 1; i < lines.size(); i++) {
            String[] cells = lines.get(i).split(",", -1);
            try {
                LocalDateTime at = LocalDateTime.parse(cells[0], TIME);
                double figure = Double.parseDouble(cells[1]);
                if (!at.isAfter(last)) {
                    throw new BadTrace(
                            "%s line %d: expected a time after %s, found %s; sort the rows by time and keep each time once"
                                    .formatted(file, i + 1, last, Excerpt.of(lines.get(i))));
                }
                if (!Double.isFinite(figure) || figure < 0) {
                    complain(file, i, "grams of CO2 per kWh from 0 on", lines.get(i));
                    continue;
                }
                last = at;
                if (!at.toLocalDate().isBefore(from) && at.getMinute() % 30 == 0) {
                    grams.add(figure);
                }
            } catch (DateTimeException | NumberFormatException | IndexOutOfBoundsException e) {
                complain(file, i, INTENSITY, lines.get(i));
            }
        }
        if (grams.isEmpty()) {
            throw new BadTrace(
                    "%s: expected half-hourly rows from %s on, found none of %d rows usable"
                            .formatted(file, from, lines.size() - 1));
        }
        return grams.stream().mapToDouble(each -> each).toArray();
    }

    /// The jobs, in slots of half an hour.
    public List<ShiftedJob> jobs(Path file, int slots) {
        var jobs = new ArrayList<ShiftedJob>();
        List<String> lines = lines(file, JOBS);
        for (int i = 1; i < lines.size(); i++) {
            String[] cells = lines.get(i).split(",", -1);
            try {
                int arrival = Integer.parseInt(cells[1].strip());
                int duration = Integer.parseInt(cells[2].strip());
                if (arrival < 0 || duration <= 0 || arrival % 30 != 0 || duration % 30 != 0) {
                    complain(file, i, "minutes in whole half hours", lines.get(i));
                } else if ((arrival + (long) duration) / 30 > slots) {
                    complain(
                            file,
                            i,
                            "a job that ends within the "
                                    + slots
                                    + " half hours for which the intensity is known",
                            lines.get(i));
                } else {
                    jobs.add(new ShiftedJob(arrival / 30, duration / 30));
                }
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                complain(file, i, JOBS, lines.get(i));
            }
        }
        if (jobs.isEmpty()) {
            throw new BadTrace(
                    "%s: expected rows of %s, found no usable job in %d rows%s"
                            .formatted(
                                    file,
                                    JOBS,
                                    lines.size() - 1,
                                    complaints.isEmpty() ? "" : "; " + complaints.getLast()));
        }
        return jobs;
    }

    private void complain(Path file, int index, String expected, String found) {
        bad++;
        if (bad <= MOST_TOLD) {
            complaints.add(
                    "%s line %d: expected %s, found %s; left out"
                            .formatted(file, index + 1, expected, Excerpt.of(found)));
        }
    }

    /// All lines, of which the first is the header.
    static List<String> lines(Path file, String header) {
        List<String> lines = TextLines.all(file, "a CSV file with " + header);
        if (lines.isEmpty() || !lines.getFirst().strip().startsWith(header)) {
            throw new BadTrace(
                    "%s line 1: expected %s, found %s"
                            .formatted(
                                    file,
                                    header,
                                    lines.isEmpty() ? "nothing" : Excerpt.of(lines.getFirst())));
        }
        return lines;
    }
}
