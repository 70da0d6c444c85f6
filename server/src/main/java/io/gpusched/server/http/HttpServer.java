package io.gpusched.server.http;

import io.gpusched.server.auth.PemFiles;
import io.gpusched.server.config.ApiSection;
import io.gpusched.server.config.Ports;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http1.Http1Config;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;

/// One listening port that hands every request to a [Handler]. A virtual thread serves each
/// connection, so a slow client costs a little memory and nothing else.
public final class HttpServer implements AutoCloseable {
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration FAREWELL = Duration.ofSeconds(5);
    private static final int MOST_CONNECTIONS = 20_000;

    private final WebServer server;
    private final ApiSection api;

    private HttpServer(WebServer server, ApiSection api) {
        this.server = server;
        this.api = api;
    }

    /// @param flag with which the port is chosen, for when it is taken
    static HttpServer start(ApiSection api, int port, String flag, Handler handler) {
        return start(api, port, flag, handler, IDLE_TIMEOUT);
    }

    /// @param idle how long a client may say nothing, between two requests or in one; noticed some
    ///        time later
    static HttpServer start(ApiSection api, int port, String flag, Handler handler, Duration idle) {
        Http1Config http =
                Http1Config.builder()
                        .validateRequestHeaders(true)
                        .validateResponseHeaders(false)
                        .build();
        var builder =
                WebServer.builder()
                        .address(address(api.host()))
                        .port(port)
                        .shutdownHook(false)
                        .maxTcpConnections(MOST_CONNECTIONS)
                        .maxPayloadSize(api.maxRequestBytes())
                        .connectionOptions(options -> options.tcpNoDelay(true))
                        .idleConnectionTimeout(idle)
                        .idleConnectionPeriod(idle.dividedBy(4))
                        .shutdownGracePeriod(FAREWELL)
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(new Connections(http, idle))
                        .directHandlers(inJson(api.maxRequestBytes()))
                        .routing(routing -> routing.any(handler));
        if (api.tls()) {
            builder.tls(
                    Tls.builder()
                            .sslContext(PemFiles.context(api.certificate(), api.privateKey()))
                            .build());
        }
        checkFree(api, port, flag);
        WebServer server = builder.build().start();
        if (!server.isRunning()) { // It only logs why.
            throw new IllegalArgumentException(
                    "cannot listen on port %d of %s; choose another with %s"
                            .formatted(port, api.host(), flag));
        }
        return new HttpServer(server, api);
    }

    /// A web server that cannot have its port says so at length in the log and nowhere else.
    private static void checkFree(ApiSection api, int port, String flag) {
        try (var probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(address(api.host()), port));
        } catch (IOException e) {
            throw Ports.refused(api.host(), port, flag, e);
        }
    }

    /// As a client would write it: `http://127.0.0.1:8080`.
    public String url() {
        String host = api.host().contains(":") ? "[" + api.host() + "]" : api.host();
        return (api.tls() ? "https://" : "http://") + host + ":" + port();
    }

    public int port() {
        return server.port();
    }

    /// Stops listening; requests that are being answered may finish.
    @Override
    public void close() {
        server.stop();
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "api.host: no address is known for \"%s\"; write an IP address".formatted(host),
                    e);
        }
    }

    /// What goes wrong before a request reaches us is answered in JSON too.
    private static DirectHandlers inJson(long mostBytes) {
        var handlers = DirectHandlers.builder();
        for (var type : DirectHandler.EventType.values()) {
            handlers.addHandler(
                    type,
                    (request, event, status, headers, message) ->
                            answer(
                                    fault(event, status, orEmpty(message), mostBytes),
                                    orEmpty(request.path()),
                                    headers,
                                    event.keepAlive()));
        }
        return handlers.build();
    }

    private static String orEmpty(@Nullable String message) {
        return message == null ? "" : message;
    }

    private static Fault fault(
            DirectHandler.EventType event, Status status, String message, long mostBytes) {
        return switch (event) {
            case PAYLOAD_TOO_LARGE -> Fault.tooLarge(mostBytes);
            case BAD_REQUEST, HTTP_VERSION_NOT_SUPPORTED, OTHER ->
                    status.code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code()
                            ? Fault.tooLarge(mostBytes)
                            : Fault.malformed(status.code(), message);
            case FORBIDDEN -> Fault.forbidden("this is not allowed", "");
            case INTERNAL_ERROR -> Fault.broken();
        };
    }

    private static DirectHandler.TransportResponse answer(
            Fault fault, String path, ServerResponseHeaders headers, boolean keepAlive) {
        return DirectHandler.TransportResponse.builder()
                .status(Status.create(fault.status()))
                .headers(headers)
                .header(HeaderNames.CONTENT_TYPE, Reply.JSON)
                .keepAlive(keepAlive)
                .entity(Door.words(fault, path))
                .build();
    }
}
