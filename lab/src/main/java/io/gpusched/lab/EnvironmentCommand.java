package io.gpusched.lab;

import io.gpusched.lab.environment.EnvironmentServer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;

/// Serves the reinforcement-learning environment on a local socket.
@Command(
        name = "environment",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves the reinforcement-learning environment on a local socket, for agents that are",
            "trained in Python or another language. The production scheduler carries out every",
            "start. The options below are the defaults of clients that do not choose settings.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab environment --port 5555",
            "  lab environment --port 5555 --num-gpus 16 --lookahead-mode cdf",
            "",
            "python/gpusched_gym.py is a client for Python. docs/guide/environment.md describes"
                    + " the",
            "protocol."
        })
final class EnvironmentCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port to listen on (default 5555); 0 takes any free port.")
    private int port = 5555;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "Address to listen on (default 127.0.0.1). Clients need no password, so every"
                            + " client that reaches the address can use the environment.")
    private String host = "127.0.0.1";

    @Mixin private EnvironmentOptions options = new EnvironmentOptions();

    @Override
    public Integer call() {
        try (EnvironmentServer server = listen()) {
            var atExit = new Thread(server::close, "close-environment");
            Runtime.getRuntime().addShutdownHook(atExit);
            PrintWriter lines = spec.commandLine().getOut();
            lines.printf(
                    "Serving the environment on %s:%d; press Ctrl-C to stop.%n",
                    server.address().getHostAddress(), server.port());
            lines.flush();
            server.await();
        } catch (InterruptedException e) {
            // A request to stop; the server is closed by now.
            return 0;
        }
        return 0;
    }

    private EnvironmentServer listen() {
        if (port < 0 || port > 65_535) {
            throw new UserError("--port: expected 0 to 65535, found " + port);
        }
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UserError("--host: there is no address " + host);
        }
        try {
            return new EnvironmentServer(address, options.parameters());
        } catch (IOException e) {
            throw new UserError(
                    "cannot listen on %s:%d: %s; choose another --port"
                            .formatted(host, port, e.getMessage()));
        }
    }
}
