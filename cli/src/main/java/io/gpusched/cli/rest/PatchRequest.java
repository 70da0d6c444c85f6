package io.gpusched.cli.rest;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Sends one PATCH request over HTTP/1.1 on a connection of its own, and asks the server to close
/// it. `HttpURLConnection` cannot send PATCH. `java.net.http` can, but loading it takes longer than
/// a whole request.
final class PatchRequest {
    private static final int LONGEST_LINE = 16 << 10;

    private final InputStream in;

    private PatchRequest(InputStream in) {
        this.in = in;
    }

    static HttpResponse send(ServerAddress serverAddress, ApiPath apiPath, byte[] body)
            throws IOException {
        var address = URI.create(serverAddress.url());
        try (Socket socket = connected(serverAddress, address)) {
            socket.setSoTimeout(Rest.READ_MILLIS);
            var request = new ByteArrayOutputStream();
            request.write(
                    head(serverAddress, address, apiPath, body.length)
                            .getBytes(StandardCharsets.UTF_8));
            request.write(body);
            socket.getOutputStream().write(request.toByteArray());
            socket.getOutputStream().flush();
            return new PatchRequest(new BufferedInputStream(socket.getInputStream()))
                    .httpResponse();
        }
    }

    private static Socket connected(ServerAddress serverAddress, URI address) throws IOException {
        boolean secure = address.getScheme().equalsIgnoreCase("https");
        int port = address.getPort() >= 0 ? address.getPort() : secure ? 443 : 80;
        String host = address.getHost().replaceAll("[\\[\\]]", "");
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), Rest.CONNECT_MILLIS);
            return secure ? wrapped(serverAddress, socket, host, port) : socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket wrapped(ServerAddress serverAddress, Socket plain, String host, int port)
            throws IOException {
        var trust = serverAddress.trust();
        var factory =
                trust == null
                        ? (SSLSocketFactory) SSLSocketFactory.getDefault()
                        : trust.getSocketFactory();
        var socket = (SSLSocket) factory.createSocket(plain, host, port, true);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static String head(
            ServerAddress serverAddress, URI address, ApiPath apiPath, int length) {
        var head = new StringBuilder();
        head.append("PATCH ").append(address.getRawPath()).append(apiPath.written());
        head.append(" HTTP/1.1\r\nHost: ").append(address.getRawAuthority());
        serverAddress.headers().forEach((name, value) -> head.append("\r\n" + name + ": " + value));
        head.append("\r\nContent-Type: application/json\r\nContent-Length: ").append(length);
        return head.append("\r\nConnection: close\r\n\r\n").toString();
    }

    private HttpResponse httpResponse() throws IOException {
        String[] status = line().split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/") || !status[1].matches("\\d{3}")) {
            throw new IOException("the answer is not HTTP");
        }
        Map<String, String> headers = headers();
        return HttpResponse.of(
                Integer.parseInt(status[1]),
                headers.getOrDefault("location", "another address"),
                body(headers));
    }

    private Map<String, String> headers() throws IOException {
        var headers = new TreeMap<String, String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
                headers.put(name, line.substring(colon + 1).strip());
            }
        }
        return headers;
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            return chunks();
        }
        String length = headers.getOrDefault("content-length", "");
        return in.readNBytes(
                length.matches("\\d{1,8}")
                        ? Math.min(Integer.parseInt(length), Rest.LARGEST)
                        : Rest.LARGEST);
    }

    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        while (body.size() < Rest.LARGEST) {
            String size = line().replaceFirst(";.*", "").strip();
            if (!size.matches("[0-9a-fA-F]{1,7}")) {
                throw new IOException("expected the size of a chunk, found '" + size + "'");
            }
            int length = Integer.parseInt(size, 16);
            if (length == 0) {
                break;
            }
            body.write(in.readNBytes(length));
            line();
        }
        return body.toByteArray();
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.size() > LONGEST_LINE) {
                throw new EOFException("the answer ends within its headers");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
