package io.gpusched.server.http;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Supplier;

/// Opens the stream behind it with the first byte. An answer that turns out to have none can then
/// be sent whole: the web server sends nothing at all, not even the status, for an open stream
/// without a byte where the client asked to close the connection.
final class FirstByteStream extends OutputStream {
    private final Supplier<OutputStream> source;
    private @Nullable OutputStream open;

    FirstByteStream(Supplier<OutputStream> source) {
        this.source = source;
    }

    boolean hasBegun() {
        return open != null;
    }

    private OutputStream begun() {
        OutputStream present = open;
        if (present == null) {
            present = source.get();
            open = present;
        }
        return present;
    }

    @Override
    public void write(int b) throws IOException {
        begun().write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length > 0) {
            begun().write(bytes, offset, length);
        }
    }

    @Override
    public void flush() throws IOException {
        if (open != null) {
            open.flush();
        }
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }
}
