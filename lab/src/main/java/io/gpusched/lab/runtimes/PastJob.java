package io.gpusched.lab.runtimes;

import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.model.Features;
import io.gpusched.lab.fgd.BadTrace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// A job of the trace: when it was submitted, how long it ran, on how many GPUs and whose it was.
///
/// @param submitted seconds since the epoch
public record PastJob(long submitted, double seconds, int gpus, String cluster) {
    private static final String NAME = "philly_jobs.csv";
    private static final String HEADER = "timestamp,duration,num_gpus,gpu_time,cluster";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /// Virtual cluster and number of GPUs: the trace says no more about what a job does.
    public String group() {
        return cluster + "/" + bucket();
    }

    private int bucket() {
        int bucket = 1;
        while (bucket < gpus) {
            bucket *= 2;
        }
        return bucket;
    }

    /// As the model is told of it. The trace does not say on which GPUs a job ran.
    public Profile profile() {
        return new Profile(group(), "any", new Features(gpus, 0, 0, 0));
    }

    /// The moment when how long it takes becomes known: it is taken to have started at once.
    double ended() {
        return submitted + seconds;
    }

    /// The jobs in the folder's `philly_jobs.csv`, packed or not, in the order of submission.
    public static List<PastJob> read(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new BadTrace(
                    "there is no folder %s; --data names the one that holds %s"
                            .formatted(folder, NAME));
        }
        Path plain = folder.resolve(NAME);
        Path packed = folder.resolve(NAME + ".gz");
        if (!Files.exists(plain) && !Files.exists(packed)) {
            throw new BadTrace(
                    "%s has neither %s nor %s.gz; --data names the folder that holds it"
                            .formatted(folder, NAME, NAME));
        }
        try (InputStream in =
                        Files.exists(plain)
                                ? Files.newInputStream(plain)
                                : new GZIPInputStream(Files.newInputStream(packed), 1 << 16);
                var reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return read(reader);
        } catch (IOException e) {
            throw new BadTrace("%s in %s cannot be read: %s".formatted(NAME, folder, e));
        }
    }

    private static List<PastJob> read(BufferedReader reader) throws IOException {
        String header = reader.readLine();
        if (!HEADER.equals(header)) {
            throw new BadTrace("%s: expected %s, found %s".formatted(NAME, HEADER, header));
        }
        var jobs = new ArrayList<PastJob>();
        int number = 1;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            number++;
            if (!line.isBlank()) {
                jobs.add(job(line, number));
            }
        }
        jobs.sort(Comparator.comparingLong(PastJob::submitted));
        return List.copyOf(jobs);
    }

    private static PastJob job(String line, int number) {
        String[] cells = line.split(",", -1);
        try {
            var job =
                    new PastJob(
                            LocalDateTime.parse(cells[0], TIME).toEpochSecond(ZoneOffset.UTC),
                            Double.parseDouble(cells[1]),
                            Integer.parseInt(cells[2]),
                            cells[4]);
            if (job.seconds > 0 && job.seconds < 1e9 && job.gpus > 0) {
                return job;
            }
        } catch (DateTimeParseException
                | NumberFormatException
                | ArrayIndexOutOfBoundsException wrong) {
            throw new BadTrace(bad(line, number) + " (" + wrong.getMessage() + ")");
        }
        throw new BadTrace(bad(line, number));
    }

    private static String bad(String line, int number) {
        return "%s line %d: expected %s, found %s".formatted(NAME, number, HEADER, line);
    }
}
