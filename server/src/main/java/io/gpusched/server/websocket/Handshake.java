package io.gpusched.server.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// The answer to a client that asks for a WebSocket.
public final class Handshake {
    public static final String VERSION = "13";

    private static final String SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;

    private Handshake() {}

    /// Whether the key of a client has the right form.
    public static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    /// The response that switches protocols.
    public static byte[] answer(String key) {
        return ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + accept(key)
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    static String accept(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + SUFFIX).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
