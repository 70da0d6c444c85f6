package io.gpusched.store;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Keeps a data folder to one process. The system lets go of it when the process ends, however it
/// ends, so nobody ever has to clean up.
final class FolderLock implements AutoCloseable {
    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    static FolderLock take(Path folder, Owner owner) {
        Path file = folder.resolve("journal.lock");
        try {
            Files.createDirectories(folder);
            var channel =
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw Owner.refused("the data folder " + folder, Files.readString(file).strip());
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(owner.name().getBytes(StandardCharsets.UTF_8)));
            return new FolderLock(channel);
        } catch (IOException e) {
            throw StoreException.broken("locking " + file, e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw StoreException.broken("unlocking the data folder", e);
        }
    }
}
