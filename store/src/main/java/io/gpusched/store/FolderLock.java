package io.gpusched.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Locks a data directory for one process. The operating system releases the lock when the process
/// ends, however it ends.
///
/// For the operating system the lock belongs to the whole process, and closing any channel to the
/// file releases it. So owners within this process are recorded separately and checked before the
/// file is touched.
final class FolderLock implements AutoCloseable {
    private static final Map<Path, String> INSIDE = new ConcurrentHashMap<>();

    private final Path folder;
    private final FileChannel channel;

    private FolderLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    static FolderLock take(Path folder, StoreOwner storeOwner) {
        try {
            Path real = PrivateFiles.folder(folder).toRealPath();
            String inside = INSIDE.putIfAbsent(real, storeOwner.name());
            if (inside != null) {
                throw StoreOwner.refused("the data directory " + folder, inside);
            }
            try {
                return new FolderLock(real, locked(real, storeOwner));
            } catch (StoreException | IOException e) {
                INSIDE.remove(real);
                throw e;
            }
        } catch (IOException e) {
            throw StoreException.broken("locking the data directory " + folder, e);
        }
    }

    private static FileChannel locked(Path folder, StoreOwner storeOwner) throws IOException {
        Path file = PrivateFiles.file(folder.resolve("journal.lock"));
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw StoreOwner.refused(
                        "the data directory " + folder, Files.readString(file).strip());
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(storeOwner.name().getBytes(StandardCharsets.UTF_8)));
            return channel;
        } catch (StoreException | IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            throw StoreException.broken("unlocking the data directory", e);
        } finally {
            INSIDE.remove(folder);
        }
    }
}
