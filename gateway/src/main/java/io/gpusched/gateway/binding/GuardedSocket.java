package io.gpusched.gateway.binding;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;

/// A connected socket to a Redis server whose answers a [RedisGuard] reads first. It has what the
/// client uses of a socket.
final class GuardedSocket extends Socket {
    private final Socket socket;
    private final InputStream in;

    GuardedSocket(Socket socket, AnswerBudget budget) throws IOException {
        this.socket = socket;
        this.in = new Guarded(socket.getInputStream(), new RedisGuard(budget));
    }

    private static final class Guarded extends FilterInputStream {
        private final RedisGuard guard;

        Guarded(InputStream in, RedisGuard guard) {
            super(in);
            this.guard = guard;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int from, int most) throws IOException {
            int read = in.read(to, from, most);
            guard.next(to, from, from + Math.max(0, read));
            return read;
        }
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return socket.getOutputStream();
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return socket.getSoTimeout();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        socket.setSoTimeout(millis);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        socket.setSoLinger(on, seconds);
    }

    @Override
    public boolean isBound() {
        return socket.isBound();
    }

    @Override
    public boolean isConnected() {
        return socket.isConnected();
    }

    @Override
    public boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return socket.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return socket.isOutputShutdown();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
