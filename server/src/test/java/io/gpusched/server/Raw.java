package io.gpusched.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// Sends raw bytes, for requests that a correct client would not send.
final class Raw {
    private static final int PATIENCE_MILLIS = 20_000;

    private Raw() {}

    /// Everything that the server sends until it closes the connection or has sent a whole
    /// response.
    static String send(Server server, String request) {
        return send(server, request.getBytes(StandardCharsets.ISO_8859_1));
    }

    static String send(Server server, byte[] request) {
        URI uri = URI.create(server.url());
        try (var socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(request);
                socket.getOutputStream().flush();
                socket.shutdownOutput();
            } catch (IOException refusedWhileSending) {
                // Only what was received before counts.
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The status in the first line; 0 if there is none.
    static int status(String answer) {
        String[] words = answer.split(" ", 3);
        return words.length == 3 && words[1].matches("[0-9]{3}") ? Integer.parseInt(words[1]) : 0;
    }
}
