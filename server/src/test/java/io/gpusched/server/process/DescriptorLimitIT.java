package io.gpusched.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Clients that hold as many connections as possible do not stop a scheduler with a low limit of
/// open files.
@Timeout(300)
final class DescriptorLimitIT {
    private static final String LIMITS = "ulimit -n 500;";
    private static final int CONNECTIONS = 600;
    private static final int CONNECT_MILLIS = 2_000;

    @TempDir Path folder;

    private final List<Socket> held = new ArrayList<>();

    @AfterEach
    void letGo() throws IOException {
        for (Socket socket : held) {
            socket.close();
        }
    }

    @Test
    void idleConnectionsOnAllPortsLeaveTheRestPortAlive() throws Exception {
        try (var scheduler = SchedulerProcess.start(folder, LIMITS, "256m")) {
            hold(scheduler.grpcPort());
            hold(scheduler.httpPort());

            assertThat(scheduler.send("GET", "/health", "").statusCode()).isEqualTo(200);
            assertThat(scheduler.send("POST", "/api/v1/jobs", "{}").statusCode()).isEqualTo(201);
            letGo();
            assertThat(scheduler.send("GET", "/api/v1/jobs", "").statusCode()).isEqualTo(200);
            assertThat(scheduler.isAlive()).isTrue();
            assertThat(scheduler.log()).doesNotContain("Too many open files");
        }
    }

    /// As many as can be opened; a full port may keep further ones waiting.
    private void hold(int port) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            var socket = new Socket();
            try {
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        CONNECT_MILLIS);
                held.add(socket);
            } catch (IOException full) {
                socket.close();
                return;
            }
        }
    }
}
