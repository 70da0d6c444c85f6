package io.gpusched.lab.environment;

import io.gpusched.rl.GymEnvironment;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Serves environments on a TCP socket, each client its own. A client sends lines of JSON; see
/// [EnvironmentSession].
///
/// Every client has one thread. At most [#MOST_CLIENTS] are connected at once; another one is told
/// so and disconnected. There is no authentication: listen on the loopback address only.
public final class EnvironmentServer implements AutoCloseable {
    static final int MOST_CLIENTS = 32;

    private final EnvironmentParameters standard;
    private final @Nullable Supplier<? extends GymEnvironment> given;
    private final ServerSocket socket;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("environment-client-", 1).factory());
    private final Thread acceptor;

    /// Begins to listen.
    ///
    /// @param address where to listen; port 0 takes any free port
    /// @param standard the settings that a client does not choose
    public EnvironmentServer(InetSocketAddress address, EnvironmentParameters standard)
            throws IOException {
        this(address, standard, null);
    }

    /// @param given makes the environment that is served; null where clients describe it
    public EnvironmentServer(
            InetSocketAddress address,
            EnvironmentParameters standard,
            @Nullable Supplier<? extends GymEnvironment> given)
            throws IOException {
        this.standard = standard;
        this.given = given;
        this.socket = new ServerSocket();
        try {
            socket.bind(address);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        this.acceptor = Thread.ofPlatform().name("environment-server").start(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    public InetAddress address() {
        return socket.getInetAddress();
    }

    /// Waits until [#close] is called.
    public void await() throws InterruptedException {
        acceptor.join();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                clients.add(client);
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                var session = new EnvironmentSession(standard, given)) {
            client.setTcpNoDelay(true);
            if (clients.size() > MOST_CLIENTS) {
                String full = "expected at most " + MOST_CLIENTS + " clients; try again later";
                send(client.getOutputStream(), AnswerText.error("", full));
            } else {
                answer(session, client);
            }
        } catch (IOException e) {
            // The client has gone, or the server stops. Nobody is left to tell.
        } finally {
            clients.remove(client);
        }
    }

    private static void answer(EnvironmentSession session, Socket client) throws IOException {
        InputStream in = new BufferedInputStream(client.getInputStream(), 1 << 14);
        OutputStream out = client.getOutputStream();
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\n') {
                line.write(next);
            } else if (line.size() > 0) {
                send(out, session.answer(line.toByteArray()));
                line.reset();
            }
            if (line.size() > EnvironmentSession.LONGEST) {
                String most = "expected at most " + EnvironmentSession.LONGEST + " bytes in a line";
                send(out, AnswerText.error("", most));
                return;
            }
            if (session.isClosed()) {
                return;
            }
        }
    }

    private static void send(OutputStream out, String answer) throws IOException {
        out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Disconnects all clients and stops to listen.
    @Override
    public void close() {
        closeQuietly(socket);
        try {
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clients.forEach(EnvironmentServer::closeQuietly);
        threads.close();
    }

    private static void closeQuietly(Closeable one) {
        try {
            one.close();
        } catch (IOException e) {
            // It is not used any more.
        }
    }
}
