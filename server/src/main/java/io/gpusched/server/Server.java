package io.gpusched.server;

import io.gpusched.server.auth.Access;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.config.Config;
import io.gpusched.server.view.View;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.function.Consumer;

/// A running scheduler. [#start] makes and starts its parts in order, and [#close] stops them in
/// the opposite order.
///
///     REST, gRPC ──▶ cell thread ──▶ journal ──▶ follower ──▶ views ──▶ REST, gRPC
///     agents ◀──▶        ▲ └─ orders, when durable ──▶ agents
///
/// Each part may use only the parts made before it:
///
///     Access              tokens, authentication, rate limit
///     Stores              journal, snapshots, tables, recovered engines
///     BatchListeners      metrics, scores, estimates, idle GPUs, shadow policy, events
///     CellParts           cell thread, follower, agent services
///     BackgroundServices  store watch, retention, alerts, what-if
///     Ports               gRPC, REST, metrics
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final ServerContext context;
    private final CellParts cell;
    private final Ports ports;

    private Server(ServerContext context, CellParts cell, Ports ports) {
        this.context = context;
        this.cell = cell;
        this.ports = ports;
    }

    /// Starts a scheduler and returns when it accepts requests. If a start fails, the parts that
    /// were started are closed.
    ///
    /// @param onDeath called when the scheduler can no longer decide
    public static Server start(Config config, Consumer<Throwable> onDeath) {
        var context = ServerContext.of(config, engineConfig(config), onDeath);
        return context.shutdown().closeOnFailure(() -> start(context));
    }

    private static Server start(ServerContext context) {
        Access access = Access.open(context.config());
        var stores = new Stores(context);
        var listeners = new BatchListeners(context, stores);
        var cell = new CellParts(context, stores, listeners, access);
        cell.start();
        var background = new BackgroundServices(context, stores, listeners, cell);
        var ports = new Ports(context, access, stores, listeners, cell, background);
        return new Server(context, cell, ports);
    }

    private static EngineConfig engineConfig(Config config) {
        config.remarks().forEach(LOG::warn);
        EngineConfig engineConfig = EngineConfig.load(config);
        engineConfig.plugins().remarks().forEach(LOG::warn);
        engineConfig.check();
        return engineConfig;
    }

    public Config config() {
        return context.config();
    }

    /// Where a caller in the same process sends commands to the cell.
    public CommandGateway commandGateway() {
        return context.gateway();
    }

    public View view() {
        return cell.follower.view();
    }

    public int grpcPort() {
        return ports.grpc.port();
    }

    public String url() {
        return ports.rest.url();
    }

    public String metricsUrl() {
        return ports.rest.metricsUrl() + config().metrics().path();
    }

    /// The line that the process prints when it is ready.
    public String readyLine() {
        return "ready http=%s grpc=%s metrics=%s page=%s/ui/"
                .formatted(url(), ports.grpc.address(), metricsUrl(), url());
    }

    /// Accepts no more requests, decides what has arrived, and closes the store. Agents keep their
    /// tasks running.
    @Override
    public void close() {
        context.shutdown().close();
    }
}
