package io.gpusched.gateway.binding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A server of Debian's package `rabbitmq-server`, with one user. It starts without a port mapper,
/// which would be left behind.
record RabbitServer(ServerProcess process, int port) implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

    static RabbitServer start(String user, String password) {
        ServerProcess.need(PROGRAM, "rabbitmq-server");
        Path folder = ServerProcess.folder("rabbitmq");
        int port = ServerProcess.freePort();
        int distribution = ServerProcess.freePort();
        try {
            Files.writeString(
                    folder.resolve("rabbitmq.conf"),
                    """
                    listeners.tcp.1 = 127.0.0.1:%d
                    default_user = %s
                    default_pass = %s
                    log.console = true
                    log.file = false
                    disk_free_limit.absolute = 1MB
                    """
                            .formatted(port, user, password));
            Files.writeString(folder.resolve("enabled_plugins"), "[].");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> environment =
                Map.of(
                        "HOME", folder.toString(),
                        "RABBITMQ_NODENAME", "gateway-test-" + port + "@localhost",
                        "RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq.conf").toString(),
                        "RABBITMQ_ENABLED_PLUGINS_FILE",
                                folder.resolve("enabled_plugins").toString(),
                        "RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString(),
                        "RABBITMQ_LOG_BASE", folder.resolve("logs").toString(),
                        "RABBITMQ_PID_FILE", folder.resolve("pid").toString(),
                        "RABBITMQ_CONF_ENV_FILE", folder.resolve("none").toString(),
                        "RABBITMQ_DIST_PORT", String.valueOf(distribution),
                        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                                "-start_epmd false -erl_epmd_port " + distribution + " +S 1:1");
        return new RabbitServer(
                ServerProcess.start(folder, port, environment, List.of(PROGRAM.toString())), port);
    }

    @Override
    public void close() {
        process.close();
    }
}
