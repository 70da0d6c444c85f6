package io.gpusched.store;

import io.gpusched.wire.codec.Snapshot;
import io.gpusched.wire.codec.SnapshotCodec;
import io.gpusched.wire.codec.UnreadableException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;

/// Snapshot files of different age, so that a start need not replay the whole journal.
///
/// They only save time. A snapshot that is damaged or does not belong to the journal is skipped
/// with a warning, and the one before it is used. Without any, the whole journal is replayed.
///
///     snapshots/000000000000004242-20250101T120000Z.image
public final class Snapshots {
    private static final String SUFFIX = ".image";
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final int kept;
    private final StoreHealth health;
    private final SnapshotCodec codec = new SnapshotCodec();

    /// @param kept how many snapshots are kept; older ones are deleted
    public Snapshots(Path folder, int kept, StoreHealth health) {
        this.folder = folder;
        this.kept = kept;
        this.health = health;
    }

    /// Writes the snapshot completely or not at all, and deletes the oldest.
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

    /// The newest snapshot that is valid, belongs to the journal and is not after batch `upTo`;
    /// null if there is none.
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
            SnapshotStream.write(snapshot, codec, Channels.newOutputStream(channel));
            channel.force(true);
        }
    }

    private Snapshot read(Path file) throws IOException {
        return SnapshotStream.read(codec, Files.newInputStream(file));
    }

    /// Keeps the newest snapshot until it is released, however many newer ones are written.
    public void hold() {
        List<Path> all = newestFirst();
        if (all.isEmpty()) {
            return;
        }
        Path file = all.getFirst();
        try {
            Path to = PrivateFiles.folder(heldFolder()).resolve(file.getFileName());
            if (!Files.exists(to)) {
                Files.createLink(to, file);
            }
        } catch (IOException e) {
            throw StoreException.broken("holding snapshot " + file, e);
        }
    }

    /// When the held snapshot was taken; null if none is held.
    public @Nullable Instant heldSince() {
        List<Path> held = newestFirst(heldFolder());
        return held.isEmpty() ? null : at(held.getLast());
    }

    /// The batch of the held snapshot; 0 if none is held.
    public long heldBatch() {
        List<Path> held = newestFirst(heldFolder());
        return held.isEmpty() ? 0 : batch(held.getLast());
    }

    /// The held snapshot, if it is valid and belongs to the journal.
    public @Nullable Snapshot held(JournalReader journal) {
        List<Path> held = newestFirst(heldFolder());
        return held.isEmpty() ? null : readOrWarn(held.getLast(), journal);
    }

    public void letGo() {
        for (Path file : newestFirst(heldFolder())) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw StoreException.broken("deleting " + file, e);
            }
        }
    }

    private Path heldFolder() {
        return folder.resolve("held");
    }

    private static Instant at(Path file) {
        String name = String.valueOf(file.getFileName());
        return Instant.from(DATE.parse(name.substring(19, name.length() - SUFFIX.length())));
    }

    /// Whether there is a snapshot in the directory, of any journal.
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

    /// The batch in the file's name; -1 if the file is not a snapshot.
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
