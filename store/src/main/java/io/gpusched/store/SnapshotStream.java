package io.gpusched.store;

import io.gpusched.wire.codec.Snapshot;
import io.gpusched.wire.codec.SnapshotCodec;
import io.gpusched.wire.codec.UnreadableException;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/// A snapshot followed by its checksum, as written to files and into the journal.
final class SnapshotStream {
    private static final int BUFFER = 1 << 16;

    private SnapshotStream() {}

    static void write(Snapshot snapshot, SnapshotCodec codec, OutputStream to) throws IOException {
        var checked = new CheckedOutputStream(new BufferedOutputStream(to, BUFFER), new CRC32C());
        codec.write(snapshot, checked);
        long sum = checked.getChecksum().getValue();
        checked.write(ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
        checked.flush();
    }

    /// Throws [UnreadableException] if the snapshot is truncated or damaged.
    static Snapshot read(SnapshotCodec codec, InputStream from) throws IOException {
        try (var in = new BufferedInputStream(from, BUFFER)) {
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
}
