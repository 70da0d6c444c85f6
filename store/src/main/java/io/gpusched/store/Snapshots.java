package io.gpusched.store;

import io.gpusched.wire.codec.Snapshot;
import io.gpusched.wire.codec.SnapshotCodec;
import io.gpusched.wire.codec.UnreadableException;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/// Snapshots in files of their own, several of different age, so that a start does not replay the
/// whole journal.
///
/// They only save time. One that is damaged, or does not belong to the journal, is passed over with
/// a warning in favour of the one before; without any, everything is replayed.
///
///     snapshots/000000000000004242-20250101T120000Z.image
public final class Snapshots {
    private static final String SUFFIX = ".image";
    private static final int BUFFER = 1 << 16;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final int kept;
    private final StoreHealth health;
    private final SnapshotCodec codec = new SnapshotCodec();

    /// @param kept how many stay; older ones are removed
    public Snapshots(Path folder, int kept, StoreHealth health) {
        this.folder = folder;
        this.kept = kept;
        this.health = health;
    }

    /// Writes the snapshot so that it is whole or not there at all, and removes the oldest.
    public void save(Snapshot snapshot) {
        var image = snapshot.image();
        String name = "%018d-%s%s".formatted(image.batch(), DATE.format(image.at()), SUFFIX);
        Path file = folder.resolve(name);
        Path draft = folder.resolve(name + ".draft");
        try {
            PrivateFiles.folder(folder);
            write(snapshot, draft);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            sync(folder);
            List<Path> all = newestFirst();
            for (Path old : all.subList(Math.min(kept, all.size()), all.size())) {
                Files.delete(old);
            }
        } catch (IOException e) {
            throw StoreException.broken("writing snapshot " + file, e);
        }
    }

    /// The newest snapshot that is whole, belongs to the journal and is not of a batch after
    /// `upTo`; null when there is none.
    public @Nullable Snapshot newest(JournalReader journal, long upTo) {
        for (Path file : newestFirst()) {
            if (batch(file) <= upTo) {
                Snapshot snapshot = readOrWarn(file, journal);
                if (snapshot != null) {
                    return snapshot;
                }
            }
        }
        return null;
    }

    private @Nullable Snapshot readOrWarn(Path file, JournalReader journal) {
        try {
            Snapshot snapshot = read(file);
            Long digest = journal.digest(snapshot.image().batch());
            if (digest != null && digest == snapshot.digest()) {
                return snapshot;
            }
            health.warning("snapshot " + file + " belongs to another journal and is not used");
        } catch (UnreadableException | IOException e) {
            health.warning("snapshot " + file + " is not used: " + e.getMessage());
        }
        return null;
    }

    private void write(Snapshot snapshot, Path draft) throws IOException {
        Files.deleteIfExists(draft);
        PrivateFiles.file(draft);
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            OutputStream file = Channels.newOutputStream(channel);
            var checked =
                    new CheckedOutputStream(new BufferedOutputStream(file, BUFFER), new CRC32C());
            codec.write(snapshot, checked);
            long sum = checked.getChecksum().getValue();
            checked.write(ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
            checked.flush();
            channel.force(true);
        }
    }

    private Snapshot read(Path file) throws IOException {
        try (var in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            var checked = new CheckedInputStream(in, new CRC32C());
            Snapshot snapshot = codec.read(checked);
            long sum = checked.getChecksum().getValue();
            if (new DataInputStream(in).readLong() != sum) {
                throw new UnreadableException("its checksum is wrong");
            }
            return snapshot;
        } catch (EOFException e) {
            throw new UnreadableException("it ends too early", e);
        }
    }

    /// Whether there is a snapshot in the folder, of whatever journal.
    static boolean any(Path folder) {
        return !newestFirst(folder).isEmpty();
    }

    private List<Path> newestFirst() {
        return newestFirst(folder);
    }

    private static List<Path> newestFirst(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.filter(file -> batch(file) >= 0)
                    .sorted(Comparator.comparingLong(Snapshots::batch).reversed())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + folder, e);
        }
    }

    /// The batch in the file's name; -1 when it is not a snapshot.
    private static long batch(Path file) {
        String name = String.valueOf(file.getFileName());
        boolean ours = name.matches("[0-9]{18}-[0-9TZ]+\\.image");
        return ours ? Long.parseLong(name.substring(0, 18)) : -1;
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
