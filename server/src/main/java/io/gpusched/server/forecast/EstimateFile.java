package io.gpusched.server.forecast;

import io.gpusched.core.forecast.ForecastCalibration.Shift;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.JobId;
import io.gpusched.store.PrivateFiles;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The file in which the server keeps how good earlier start estimates were, for its next start. No
/// decision depends on it, so it is not in the journal. If the file is missing or cannot be read,
/// the statistics begin again.
///
///     promises 1
///     shift   early, middle and late as logarithms, starts it was learned from
///     kept    starts within the estimated range, all starts; older ones count less
///     open    job, time of its first estimate; that as simulated (early, middle, late) and
///             as published (early, middle, late)
///     end
final class EstimateFile {
    private static final Logger LOG = LoggerFactory.getLogger(EstimateFile.class);
    private static final String FIRST_LINE = "promises 1";
    private static final String LAST_LINE = "end";
    private static final String NEVER = "-";

    private final Path path;

    EstimateFile(Path path) {
        this.path = path;
    }

    /// Reads the file; null if there is none or it is invalid.
    StartEstimates.@Nullable Image read() {
        if (!Files.exists(path)) {
            return null;
        }
        try {
            List<String> lines = Files.readAllLines(path);
            if (lines.size() < 2
                    || !lines.getFirst().equals(FIRST_LINE)
                    || !lines.getLast().equals(LAST_LINE)) {
                throw new IOException(
                        "expected it to begin with \"" + FIRST_LINE + "\" and to end with \"end\"");
            }
            return image(lines.subList(1, lines.size() - 1));
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            LOG.warn(
                    "{} cannot be read; the correction of start estimates begins again: {}",
                    path,
                    e.getMessage());
            return null;
        }
    }

    /// Writes the file and returns whether that succeeded. A crash leaves the old file or the new
    /// one.
    boolean write(StartEstimates.Image image) {
        var lines = new ArrayList<String>();
        lines.add(FIRST_LINE);
        for (Shift shift : image.shifts()) {
            lines.add(line("shift", shift.early(), shift.middle(), shift.late(), shift.seen()));
        }
        lines.add(line("kept", image.inside(), image.all()));
        image.open().forEach((job, first) -> lines.add(line(job, first)));
        lines.add(LAST_LINE);
        Path next = path.resolveSibling(path.getFileName() + ".next");
        try {
            Path folder = path.toAbsolutePath().getParent();
            if (folder != null) {
                PrivateFiles.folder(folder);
            }
            PrivateFiles.file(next);
            Files.write(
                    next, lines, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            Files.move(next, path, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            LOG.warn(
                    "{} cannot be written; a restart would use an older correction of start"
                            + " estimates: {}",
                    path,
                    e.toString());
            return false;
        }
    }

    private static String line(Object... fields) {
        var words = new ArrayList<String>();
        for (Object field : fields) {
            words.add(field.toString());
        }
        return String.join(" ", words);
    }

    private static String line(JobId job, StartEstimates.First first) {
        return line("open", job.number(), first.at(), words(first.foreseen()), words(first.told()));
    }

    private static String words(StartEstimate startEstimate) {
        return line(
                word(startEstimate.early()),
                word(startEstimate.middle()),
                word(startEstimate.late()));
    }

    private static String word(@Nullable Instant time) {
        return time == null ? NEVER : time.toString();
    }

    private static StartEstimates.Image image(List<String> lines) {
        var shifts = new ArrayList<Shift>();
        Map<JobId, StartEstimates.First> open = new LinkedHashMap<>();
        double inside = 0;
        double all = 0;
        for (String line : lines) {
            var words = new Words(line);
            switch (words.next()) {
                case "shift" ->
                        shifts.add(
                                new Shift(
                                        words.number(),
                                        words.number(),
                                        words.number(),
                                        words.count()));
                case "kept" -> {
                    inside = words.number();
                    all = words.number();
                }
                case "open" -> {
                    var job = new JobId(words.count());
                    Instant at = Instant.parse(words.next());
                    open.put(
                            job,
                            new StartEstimates.First(
                                    words.startEstimate(), words.startEstimate(), at));
                }
                default -> throw new IllegalArgumentException("unknown line: " + line);
            }
        }
        return new StartEstimates.Image(shifts, inside, all, open);
    }

    /// The words of one line, one after the other.
    private static final class Words {
        private final String line;
        private final String[] words;
        private int at;

        Words(String line) {
            this.line = line;
            this.words = line.split(" ", -1);
        }

        String next() {
            if (at == words.length) {
                throw new IllegalArgumentException("expected more in the line: " + line);
            }
            return words[at++];
        }

        double number() {
            double number = Double.parseDouble(next());
            if (!Double.isFinite(number)) {
                throw new IllegalArgumentException("expected a finite number in: " + line);
            }
            return number;
        }

        long count() {
            return Long.parseLong(next());
        }

        StartEstimate startEstimate() {
            return new StartEstimate(time(), time(), time());
        }

        private @Nullable Instant time() {
            String word = next();
            return word.equals(NEVER) ? null : Instant.parse(word);
        }
    }
}
