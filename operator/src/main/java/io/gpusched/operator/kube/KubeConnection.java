package io.gpusched.operator.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;

import javax.net.ssl.SSLException;

/// The connections to one API server: adds credentials, limits how many requests are open at once,
/// and turns refusals into [KubeException]s.
///
/// A dead connection of HTTP/2 would take all later requests with it until the system gives it up,
/// after a quarter of an hour. So a request without an answer makes later ones use a new
/// connection.
final class KubeConnection implements AutoCloseable {
    /// @param path with its query
    /// @param body empty for none
    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    record Call(String method, String path, String mediaType, byte[] body, Duration silence) {
        static Call of(String method, String path) {
            return new Call(method, path, "", new byte[0], ANSWER);
        }

        Call with(String type, byte[] bytes) {
            return new Call(method, path, type, bytes, silence);
        }

        Call silentFor(Duration limit) {
            return new Call(method, path, mediaType, body, limit);
        }

        String shown() {
            return method + " " + path;
        }
    }

    /// The clients of one certificate. Long answers have a connection of their own: a list that is
    /// read slowly must not hold up a binding.
    private record Clients(ClientCertificate certificate, HttpClient brief, HttpClient streams) {
        void end() {
            brief.shutdown();
            streams.shutdown();
        }
    }

    static final Duration ANSWER = Duration.ofSeconds(30);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int MOST_OPEN = 80;
    private static final int MOST_STATUS_BYTES = 1 << 16;
    private static final int UNAUTHORIZED = 401;
    private static final int FIRST_REFUSAL = 300;

    private final KubeConfig config;
    private final String userAgent;
    private final Semaphore open = new Semaphore(MOST_OPEN);
    private Clients clients;

    KubeConnection(KubeConfig config, String userAgent) {
        this.config = config;
        this.userAgent = userAgent;
        this.clients = connected(ClientCertificate.NONE);
    }

    /// Sends a call whose answer is read at once.
    <T> T brief(Call call, Reader<T> reader) {
        open.acquireUninterruptibly();
        try (AnswerBody body = answer(call, false)) {
            return reader.read(body);
        } catch (IOException e) {
            throw unanswered(call, e);
        } finally {
            open.release();
        }
    }

    /// Sends a call whose answer may be long, or never end.
    <T> T stream(Call call, Reader<T> reader) {
        try (AnswerBody body = answer(call, true)) {
            return reader.read(body);
        } catch (IOException e) {
            throw unanswered(call, e);
        }
    }

    /// Reads the body of an accepted call.
    interface Reader<T> {
        T read(AnswerBody body) throws IOException;
    }

    private AnswerBody answer(Call call, boolean isStream) throws IOException {
        HttpResponse<AnswerBody> response = send(call, isStream);
        if (response.statusCode() == UNAUTHORIZED && config.credentials().refresh()) {
            response.body().close();
            response = send(call, isStream);
        }
        if (response.statusCode() >= FIRST_REFUSAL) {
            throw refused(call, response);
        }
        return response.body();
    }

    /// Credentials may fail at any time, for example because a program cannot reach its service;
    /// that passes like a server that cannot be reached.
    private HttpResponse<AnswerBody> send(Call call, boolean isStream) throws IOException {
        try {
            return send(call, request(call), isStream);
        } catch (InvalidKubeConfig e) {
            throw new KubeException(0, "", call.shown() + ": " + e.getMessage());
        }
    }

    private HttpResponse<AnswerBody> send(Call call, HttpRequest request, boolean isStream)
            throws IOException {
        Clients used = current();
        try {
            return (isStream ? used.streams() : used.brief())
                    .send(request, _ -> new AnswerBody(call.silence()));
        } catch (HttpTimeoutException e) {
            renew(used);
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KubeException(0, "", call.shown() + ": interrupted");
        }
    }

    private HttpRequest request(Call call) {
        var request =
                HttpRequest.newBuilder(URI.create(config.server() + call.path()))
                        .timeout(ANSWER)
                        .header("User-Agent", userAgent)
                        .header("Accept", "application/json");
        String authorization = config.credentials().authorization();
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        if (!call.mediaType().isEmpty()) {
            request.header("Content-Type", call.mediaType());
        }
        return request.method(
                        call.method(),
                        call.body().length == 0
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(call.body()))
                .build();
    }

    /// Asks for the certificate outside the lock: a program may have to be run for it.
    private Clients current() {
        ClientCertificate certificate = config.credentials().certificate();
        synchronized (this) {
            if (!clients.certificate().equals(certificate)) {
                clients.end();
                clients = connected(certificate);
            }
            return clients;
        }
    }

    private synchronized void renew(Clients failed) {
        if (clients.equals(failed)) {
            clients = connected(failed.certificate());
            failed.end();
        }
    }

    private Clients connected(ClientCertificate certificate) {
        return new Clients(certificate, client(certificate), client(certificate));
    }

    private HttpClient client(ClientCertificate certificate) {
        var builder =
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(CONNECT);
        if (!config.server().getScheme().equals("https")) {
            return builder.version(HttpClient.Version.HTTP_1_1).build();
        }
        try {
            return builder.version(HttpClient.Version.HTTP_2)
                    .sslContext(config.trust().context(certificate))
                    .build();
        } catch (GeneralSecurityException e) {
            throw new InvalidKubeConfig(
                    "the certificates for %s cannot be used (%s); check %s"
                            .formatted(
                                    config.server(),
                                    e.getMessage(),
                                    config.credentials().origin()));
        }
    }

    private KubeException refused(Call call, HttpResponse<AnswerBody> response) throws IOException {
        byte[] body;
        try (AnswerBody answer = response.body()) {
            body = answer.readNBytes(MOST_STATUS_BYTES);
        }
        int code = response.statusCode();
        JsonNode status = JSON.missingNode();
        try {
            status = JSON.readTree(body);
        } catch (JacksonException e) {
            status =
                    JSON.createObjectNode()
                            .put("message", new String(body, StandardCharsets.UTF_8).strip());
        }
        String reason = status.path("reason").asText("");
        String remedy =
                code == UNAUTHORIZED
                        ? "; the server does not accept " + config.credentials().origin()
                        : "";
        return new KubeException(
                code,
                reason,
                "%s: %d %s: %s%s"
                        .formatted(
                                call.shown(),
                                code,
                                reason,
                                status.path("message").asText(""),
                                remedy));
    }

    /// The exceptions of the JDK's client often have no message of their own.
    private KubeException unanswered(Call call, IOException failure) {
        String why =
                switch (failure) {
                    case HttpTimeoutException late ->
                            "no answer within " + ANSWER.toSeconds() + " s";
                    case ConnectException refused -> "no connection; is the server running?";
                    case SSLException insecure ->
                            "no secure connection (%s); check certificate-authority and tls-server-name"
                                    .formatted(insecure.getMessage());
                    default ->
                            "the connection broke ("
                                    + String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT)
                                    + ")";
                };
        return new KubeException(
                0, "", "%s at %s: %s".formatted(call.shown(), config.server(), why));
    }

    /// Ends all requests, watches too.
    @Override
    public synchronized void close() {
        clients.brief().shutdownNow();
        clients.streams().shutdownNow();
    }
}
