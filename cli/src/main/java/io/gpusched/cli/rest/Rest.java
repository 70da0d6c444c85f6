package io.gpusched.cli.rest;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.LongConsumer;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/// REST client for one server. Each call sends one request. It returns the answer, or throws
/// `RequestRefused` (the server refused) or `Unreachable` (no valid answer).
///
/// Built on `HttpURLConnection`, the JDK's HTTP client that starts fastest, several times faster
/// than `java.net.http`. It cannot send PATCH; `PatchRequest` does. Nothing is retried here: the
/// caller decides whether a retry is safe.
public final class Rest {
    static final int CONNECT_MILLIS = 5_000;
    static final int READ_MILLIS = 60_000;

    /// The largest answer that is read: far above any page of a list, far below the heap.
    static final int LARGEST = 64 << 20;

    private final ServerAddress serverAddress;

    static {
        System.setProperty("sun.net.http.retryPost", "false");
    }

    public Rest(ServerAddress serverAddress) {
        this.serverAddress = serverAddress;
    }

    public Json call(String method, ApiPath apiPath) {
        return call(method, apiPath, Json.Nil.NIL, Map.of());
    }

    /// Sends `body` as JSON unless it is `Nil`, and parses the answer as JSON.
    public Json call(String method, ApiPath apiPath, Json body, Map<String, String> headers) {
        byte[] sent = body.isNil() ? new byte[0] : bytes(body);
        try {
            return method.equals("PATCH")
                    ? PatchRequest.send(serverAddress, apiPath, sent).json()
                    : send(method, apiPath, sent, headers).json();
        } catch (IOException e) {
            throw Unreachable.because(serverAddress.url(), e);
        }
    }

    /// Sends a text as it is, such as YAML that only the server can read.
    public Json sendText(ApiPath apiPath, byte[] text) {
        try {
            return send("POST", apiPath, text, Map.of("Content-Type", "application/yaml")).json();
        } catch (IOException e) {
            throw Unreachable.because(serverAddress.url(), e);
        }
    }

    /// How many bytes were copied, and at which offset the rest begins; -1 if the server does not
    /// say.
    public record Copied(long bytes, long next) {}

    /// Copies the plain text at `apiPath` to `out` while it arrives. With `patient` there is no
    /// read timeout. A failure of `out` is an `UncheckedIOException`: it is not the server's fault.
    public Copied copy(ApiPath apiPath, OutputStream out, boolean patient) {
        return copy(apiPath, out, patient, _ -> {});
    }

    /// The same. Before the first byte, passes that byte's offset in the whole text to `begins`, if
    /// the server says it.
    public Copied copy(ApiPath apiPath, OutputStream out, boolean patient, LongConsumer begins) {
        try {
            HttpURLConnection connection = open("GET", apiPath, Map.of());
            connection.setReadTimeout(patient ? 0 : READ_MILLIS);
            if (connection.getResponseCode() != 200) {
                answerOf(connection).json();
                return new Copied(0, -1);
            }
            try (InputStream in = connection.getInputStream()) {
                long next = connection.getHeaderFieldLong("X-Log-Next-Offset", -1);
                long length = connection.getContentLengthLong();
                if (next >= 0 && length >= 0) {
                    begins.accept(next - length);
                }
                return new Copied(copied(in, out), next);
            }
        } catch (IOException e) {
            throw Unreachable.because(serverAddress.url(), e);
        }
    }

    /// Opens the stream of live events at `apiPath`; null if the server answers with something
    /// else, as releases without live events do.
    ///
    /// @param after the id of the last event that is known; empty to begin now
    public @Nullable EventConnection events(ApiPath apiPath, String after) {
        Map<String, String> headers =
                after.isEmpty()
                        ? Map.of("Accept", EventConnection.TYPE)
                        : Map.of("Accept", EventConnection.TYPE, "Last-Event-ID", after);
        try {
            HttpURLConnection connection = open("GET", apiPath, headers);
            if (connection.getResponseCode() != 200) {
                answerOf(connection).json();
                return null;
            }
            InputStream in = connection.getInputStream();
            if (!String.valueOf(connection.getContentType()).startsWith(EventConnection.TYPE)) {
                in.close();
                return null;
            }
            return new EventConnection(serverAddress.url(), connection, in);
        } catch (IOException e) {
            throw Unreachable.because(serverAddress.url(), e);
        }
    }

    private HttpResponse send(
            String method, ApiPath apiPath, byte[] body, Map<String, String> headers)
            throws IOException {
        HttpURLConnection connection = open(method, apiPath, headers);
        if (body.length > 0) {
            connection.setDoOutput(true);
            if (!headers.containsKey("Content-Type")) {
                connection.setRequestProperty("Content-Type", "application/json");
            }
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        return answerOf(connection);
    }

    private HttpURLConnection open(String method, ApiPath apiPath, Map<String, String> headers)
            throws IOException {
        var connection =
                (HttpURLConnection)
                        URI.create(serverAddress.url() + apiPath.written())
                                .toURL()
                                .openConnection();
        SSLContext trust = serverAddress.trust();
        if (trust != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(trust.getSocketFactory());
        }
        connection.setRequestMethod(method);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        serverAddress.headers().forEach(connection::setRequestProperty);
        headers.forEach(connection::setRequestProperty);
        return connection;
    }

    private static HttpResponse answerOf(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        String location = connection.getHeaderField("Location");
        InputStream stream =
                status >= 400 ? connection.getErrorStream() : connection.getInputStream();
        byte[] body = new byte[0];
        if (stream != null) {
            try (stream) {
                body = stream.readNBytes(LARGEST);
            }
        }
        return HttpResponse.of(status, location == null ? "another address" : location, body);
    }

    private static long copied(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[16 << 10];
        long total = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            try {
                out.write(buffer, 0, n);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            total += n;
        }
        return total;
    }

    private static byte[] bytes(Json body) {
        return JsonWriter.onOneLine(body).getBytes(StandardCharsets.UTF_8);
    }
}
