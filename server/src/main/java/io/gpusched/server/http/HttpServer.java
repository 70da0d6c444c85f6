package io.gpusched.server.http;

import io.gpusched.server.auth.PemFiles;
import io.gpusched.server.config.ApiSection;
import io.gpusched.server.config.PortAdvice;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http1.spi.Http1Upgrader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;

/// One listening port that hands every request to a [Handler]. A virtual thread serves each
/// connection, so a slow client costs a little memory and nothing else.
///
///     Acceptor ──▶ ClientConnection ──▶ HttpProtocol ──▶ Handler
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final Acceptor acceptor;
    private final ApiSection api;

    private HttpServer(Acceptor acceptor, ApiSection api) {
        this.acceptor = acceptor;
        this.api = api;
    }

    /// A port to listen on.
    ///
    /// @param number the port number; 0 for any free one
    /// @param flag the option that chooses the port, for the message if it is taken
    /// @param connections largest number of open connections
    /// @param onDeath called if the port can no longer accept connections
    record Port(int number, String flag, int connections, Consumer<Throwable> onDeath) {}

    /// What a port speaks: HTTP, and other protocols that a client may ask for.
    record Service(Handler handler, List<Http1Upgrader> upgraders) {}

    static HttpServer start(ApiSection api, Port port, Service service) {
        return start(api, port, service, ClientConnection.Patience.USUAL);
    }

    static HttpServer start(
            ApiSection api, Port port, Handler handler, ClientConnection.Patience patience) {
        return start(api, port, new Service(handler, List.of()), patience);
    }

    static HttpServer start(
            ApiSection api, Port port, Service service, ClientConnection.Patience patience) {
        var protocol =
                new HttpProtocol(
                        service.handler,
                        service.upgraders,
                        inJson(api.maxRequestBytes()),
                        api.maxRequestBytes());
        @Nullable SSLContext tls =
                api.tls() ? PemFiles.context(api.certificate(), api.privateKey()) : null;
        var acceptor =
                new Acceptor(
                        listen(api, port),
                        port.connections,
                        patience,
                        (socket, onEnd) ->
                                new ClientConnection(socket, tls, patience, protocol, onEnd),
                        port.onDeath);
        prepareThreads();
        acceptor.start();
        return new HttpServer(acceptor, api);
    }

    /// Lets a virtual thread wait for a socket once. The JDK opens the files that it needs for this
    /// at the first such wait. If that fails because too many files are open, it never tries again.
    private static void prepareThreads() {
        try (var unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused.setSoTimeout(1);
            Thread.ofVirtual().start(() -> awaitNobody(unused)).join();
        } catch (IOException e) {
            throw new UncheckedIOException("a socket could not be opened: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitNobody(ServerSocket socket) {
        try {
            socket.accept().close();
        } catch (IOException timeout) {
            // Expected: the accept timed out.
        }
    }

    private static ServerSocket listen(ApiSection api, Port port) {
        InetAddress address = address(api.host());
        try {
            var listening = new ServerSocket();
            try {
                listening.bind(new InetSocketAddress(address, port.number), BACKLOG);
                return listening;
            } catch (IOException e) {
                listening.close();
                throw e;
            }
        } catch (IOException e) {
            throw PortAdvice.refused(api.host(), port.number, port.flag, e);
        }
    }

    /// As a client would write it: `http://127.0.0.1:8080`.
    public String url() {
        String host = api.host().contains(":") ? "[" + api.host() + "]" : api.host();
        return (api.tls() ? "https://" : "http://") + host + ":" + port();
    }

    public int port() {
        return acceptor.port();
    }

    /// Why the port accepts no connections at the moment; empty when it does.
    public String trouble() {
        return acceptor.trouble();
    }

    /// Stops listening; requests that are being answered may finish.
    @Override
    public void close() {
        acceptor.close();
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

    /// Errors that occur before a request reaches the handler are answered in JSON too.
    static DirectHandlers inJson(long mostBytes) {
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

    private static HttpError fault(
            DirectHandler.EventType event, Status status, String message, long mostBytes) {
        return switch (event) {
            case PAYLOAD_TOO_LARGE -> HttpError.tooLarge(mostBytes);
            case BAD_REQUEST, HTTP_VERSION_NOT_SUPPORTED, OTHER ->
                    status.code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code()
                            ? HttpError.tooLarge(mostBytes)
                            : HttpError.malformed(status.code(), message);
            case FORBIDDEN -> HttpError.forbidden("this is not allowed", "");
            case INTERNAL_ERROR -> HttpError.broken();
        };
    }

    private static DirectHandler.TransportResponse answer(
            HttpError httpError, String path, ServerResponseHeaders headers, boolean keepAlive) {
        return DirectHandler.TransportResponse.builder()
                .status(Status.create(httpError.status()))
                .headers(headers)
                .header(HeaderNames.CONTENT_TYPE, Response.JSON)
                .keepAlive(keepAlive)
                .entity(RequestHandler.words(httpError, path))
                .build();
    }
}
