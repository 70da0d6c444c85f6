package io.gpusched.server.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Collects frames for a client, so that many of them can be written at once.
public final class FrameWriter {
    private static final int FINAL = 0x80;
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    /// A control frame has at most 125 bytes, two of which are the code.
    private static final int MOST_REASON_BYTES = 123;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /// @param utf8 contains the text
    public FrameWriter text(byte[] utf8, int from, int length) {
        head(TEXT, length);
        out.write(utf8, from, length);
        return this;
    }

    public FrameWriter ping() {
        head(PING, 0);
        return this;
    }

    public FrameWriter pong(byte[] payload) {
        head(PONG, payload.length);
        out.writeBytes(payload);
        return this;
    }

    /// @param code the frame has none if it is [CloseCode#NONE]
    public FrameWriter close(int code, String reason) {
        if (code == CloseCode.NONE) {
            head(CLOSE, 0);
            return this;
        }
        byte[] shortened = shortened(reason);
        head(CLOSE, 2 + shortened.length);
        out.write(code >> 8);
        out.write(code);
        out.writeBytes(shortened);
        return this;
    }

    /// As much of the reason as fits, cut between two characters.
    private static byte[] shortened(String reason) {
        byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MOST_REASON_BYTES);
        while (length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }

    private void head(int opcode, int length) {
        out.write(FINAL | opcode);
        if (length < 126) {
            out.write(length);
        } else if (length <= 0xffff) {
            out.write(126);
            out.write(length >> 8);
            out.write(length);
        } else {
            out.write(127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                out.write((int) ((long) length >> shift));
            }
        }
    }

    public boolean isEmpty() {
        return out.size() == 0;
    }

    /// All frames since the last call.
    public byte[] take() {
        byte[] frames = out.toByteArray();
        out.reset();
        return frames;
    }
}
