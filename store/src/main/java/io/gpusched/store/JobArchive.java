package io.gpusched.store;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// Moves old jobs from the tables to files: gzipped JSON lines with the columns of `jobs` as text;
/// empty columns are left out.
///
///     zcat archive/jobs-*.jsonl.gz | jq 'select(.tenant_id == "team-a") | .id'
///
/// A file is complete and on disk before any of its rows is deleted. A crash in between leaves jobs
/// in both places, and the next run writes them to a second file.
final class JobArchive {
    private static final int JOBS_PER_FILE = 10_000;
    private static final int DELETED_AT_ONCE = 500;
    private static final List<String> COLUMNS =
            List.of(JobColumns.NAMES).subList(0, JobColumns.NAMES.length - 1);

    private final Connection connection;
    private final Dialect dialect;

    /// @param connection in a transaction, which this class commits
    JobArchive(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /// Moves all jobs that ended before a time; returns their number.
    long move(Instant endedBefore, Path folder) throws SQLException {
        long moved = 0;
        List<Long> numbers;
        do {
            numbers = write(endedBefore, folder);
            for (int from = 0; from < numbers.size(); from += DELETED_AT_ONCE) {
                delete(numbers.subList(from, Math.min(numbers.size(), from + DELETED_AT_ONCE)));
            }
            moved += numbers.size();
        } while (numbers.size() == JOBS_PER_FILE);
        return moved;
    }

    private List<Long> write(Instant endedBefore, Path folder) throws SQLException {
        var numbers = new ArrayList<Long>();
        var lines = new ArrayList<String>();
        String sql =
                """
                SELECT %s FROM jobs WHERE state IN ('completed', 'failed', 'cancelled')
                AND completed_at < ? ORDER BY number LIMIT %d
                """
                        .formatted(String.join(", ", COLUMNS), JOBS_PER_FILE);
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            Upsert.bind(query, dialect, 1, endedBefore);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    numbers.add(row.getLong(1));
                    lines.add(line(row));
                }
            }
        }
        connection.commit();
        if (!numbers.isEmpty()) {
            write(lines, folder, "jobs-%d-%d".formatted(numbers.getFirst(), numbers.getLast()));
        }
        return numbers;
    }

    private static String line(ResultSet row) throws SQLException {
        var fields = new LinkedHashMap<String, String>();
        for (int i = 0; i < COLUMNS.size(); i++) {
            String value = row.getString(i + 1);
            if (value != null) {
                fields.put(COLUMNS.get(i), value);
            }
        }
        return JsonText.map(fields);
    }

    private static void write(List<String> lines, Path folder, String name) {
        try {
            Path draft = PrivateFiles.folder(folder).resolve(name + ".draft");
            Files.deleteIfExists(draft);
            PrivateFiles.file(draft);
            try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                var packed = new GZIPOutputStream(Channels.newOutputStream(channel));
                var out =
                        new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8));
                for (String line : lines) {
                    out.append(line).append('\n');
                }
                out.flush();
                packed.finish();
                channel.force(true);
            }
            Files.move(draft, free(folder, name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw StoreException.broken("writing old jobs to " + folder, e);
        }
    }

    private static Path free(Path folder, String name) {
        Path file = folder.resolve(name + ".jsonl.gz");
        for (int again = 2; Files.exists(file); again++) {
            file = folder.resolve(name + "-" + again + ".jsonl.gz");
        }
        return file;
    }

    private void delete(List<Long> numbers) throws SQLException {
        for (String sql :
                List.of(
                        "DELETE FROM job_batches WHERE job = ?",
                        "DELETE FROM allocations WHERE job_id = (SELECT id FROM jobs WHERE number ="
                                + " ?)",
                        "DELETE FROM jobs WHERE number = ?")) {
            try (PreparedStatement delete = connection.prepareStatement(sql)) {
                for (long number : numbers) {
                    delete.setLong(1, number);
                    delete.addBatch();
                }
                delete.executeBatch();
            }
        }
        connection.commit();
    }
}
