package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/// Handles every request: checks host and origin, authenticates the caller, checks its rights and
/// its rate, runs the route's action, and writes the response or the error.
final class RequestHandler implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
    private static final HeaderName ALLOW_ORIGIN =
            HeaderNames.create("Access-Control-Allow-Origin");
    private static final HeaderName ALLOW_METHODS =
            HeaderNames.create("Access-Control-Allow-Methods");
    private static final HeaderName ALLOW_HEADERS =
            HeaderNames.create("Access-Control-Allow-Headers");

    private static final Header JSON =
            HeaderValues.createCached(HeaderNames.CONTENT_TYPE, Response.JSON);

    /// Routes below this path answer errors in the form of the published scheduler agent.
    private static final String SCORING = "/v1/";

    private final RouteTable routes;
    private final Admission admission;
    private final RequestCounter requestCounter;
    private final int mostBytes;
    private final BodyBudget budget;

    /// Counts the responses.
    interface RequestCounter {
        void answered(int status);
    }

    RequestHandler(
            RouteTable routes, Admission admission, RequestCounter requestCounter, int mostBytes) {
        this.routes = routes;
        this.admission = admission;
        this.requestCounter = requestCounter;
        this.mostBytes = mostBytes;
        this.budget = BodyBudget.inHeap(mostBytes, Runtime.getRuntime().maxMemory());
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        Answered answered = reply(request, response);
        if (answered.last) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        switch (answered.response) {
            case Response.Complete complete -> {
                requestCounter.answered(complete.status());
                send(response, complete);
            }
            case Response.Streaming streaming -> {
                requestCounter.answered(200);
                flow(response, streaming);
            }
        }
        if (answered.last) {
            throw new CloseConnectionException("the request was the last of its connection");
        }
    }

    /// @param last whether the connection ends after it: further bytes may be the rest of this
    ///        request and must not be read as another one
    private record Answered(Response response, boolean last) {}

    private Answered reply(ServerRequest request, ServerResponse response) {
        var read = new boolean[1];
        Response answer = reply(request, response, read);
        return new Answered(
                answer,
                RequestFraming.isChunked(request.headers())
                        || RequestFraming.hasBody(request.headers()) && !read[0]);
    }

    private Response reply(ServerRequest request, ServerResponse response, boolean[] read) {
        try {
            RequestFraming.check(request.headers());
            String method = request.prologue().method().text();
            checkOrigin(request, response);
            if (method.equals("OPTIONS")) {
                return Response.message("ok");
            }
            var found = routes.find(plain(method), request.path().path());
            String shown = header(request, HeaderNames.AUTHORIZATION);
            Caller caller = admission.admit(shown, found.route().audience());
            try (var admitted =
                    new Request(
                            request,
                            caller,
                            () -> admission.stillAdmits(shown, caller),
                            found.names(),
                            mostBytes,
                            budget)) {
                try {
                    return found.route().action().answer(admitted);
                } finally {
                    read[0] = admitted.isBodyRead();
                }
            }
        } catch (HttpError httpError) {
            return inWords(httpError, request.path().path());
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", request.prologue().method(), request.path().path(), e);
            return inWords(HttpError.broken(), request.path().path());
        }
    }

    private static String plain(String method) {
        return method.equals("HEAD") ? "GET" : method;
    }

    private void checkOrigin(ServerRequest request, ServerResponse response) {
        String origin = header(request, HeaderNames.ORIGIN);
        admission.checkOrigin(header(request, HeaderNames.HOST), origin);
        if (origin != null && admission.originPolicy().sharesWith(origin)) {
            response.header(ALLOW_ORIGIN, origin);
            response.header(HeaderNames.VARY, "Origin");
            response.header(ALLOW_METHODS, "GET, POST, PATCH, DELETE");
            response.header(
                    ALLOW_HEADERS, "Authorization, Content-Type, Idempotency-Key, Last-Event-ID");
        }
    }

    private static @Nullable String header(ServerRequest request, HeaderName name) {
        return request.headers().contains(name) ? request.headers().get(name).get() : null;
    }

    /// An error in the form that clients of that path expect.
    static byte[] words(HttpError httpError, String path) {
        return (path.startsWith(SCORING) ? httpError.detail() : httpError.json()).toBytes();
    }

    private static Response inWords(HttpError httpError, String path) {
        return new Response.Complete(
                httpError.status(),
                Response.JSON,
                words(httpError, path),
                httpError.retrySeconds() > 0
                        ? Map.of("Retry-After", Long.toString(httpError.retrySeconds()))
                        : Map.of());
    }

    private static void send(ServerResponse response, Response.Complete reply) {
        response.status(Status.create(reply.status()));
        if (reply.type().equals(Response.JSON)) {
            response.header(JSON);
        } else {
            response.header(HeaderNames.CONTENT_TYPE, reply.type());
        }
        reply.headers().forEach(response::header);
        response.send(reply.body());
    }

    private static void flow(ServerResponse response, Response.Streaming reply) {
        response.status(Status.OK_200);
        response.header(HeaderNames.CONTENT_TYPE, reply.type());
        reply.headers().forEach(response::header);
        try (var out = new FirstByteStream(response::outputStream)) {
            reply.source().writeTo(out);
            if (!out.hasBegun()) {
                response.send();
            }
        } catch (IOException | UncheckedIOException e) {
            // Whichever side failed: a response that has begun cannot be replaced, only broken off.
            throw new CloseConnectionException("the answer broke off", e);
        }
    }
}
