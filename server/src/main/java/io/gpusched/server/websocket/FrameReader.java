package io.gpusched.server.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Reads the messages of a client: unmasks frames and joins fragments.
///
/// Everything that the protocol forbids is a [WebSocketError] with the code to close with. A
/// message that is too large is refused by its length, before its bytes are read.
public final class FrameReader {
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int MOST_CONTROL_BYTES = 125;
    private static final int MASK_BYTES = 4;

    private final Source source;
    private final int mostBytes;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private boolean isWithinMessage;

    /// The bytes of the client.
    public interface Source {
        /// Exactly so many bytes; throws if there are fewer.
        byte[] read(int length);
    }

    /// @param mostBytes largest message, all fragments together
    public FrameReader(Source source, int mostBytes) {
        this.source = source;
        this.mostBytes = mostBytes;
    }

    /// The next message or control frame. Control frames may come between the fragments of a
    /// message.
    public Message next() {
        while (true) {
            byte[] head = source.read(2);
            boolean isLast = (head[0] & 0x80) != 0;
            int opcode = head[0] & 0x0f;
            require((head[0] & 0x70) == 0, "a frame uses an extension, and none was agreed on");
            require((head[1] & 0x80) != 0, "a frame of a client must be masked");
            int length = length(head[1] & 0x7f, opcode, isLast);
            byte[] payload = unmasked(source.read(MASK_BYTES), source.read(length));
            switch (opcode) {
                case TEXT, CONTINUATION -> {
                    checkOrder(opcode);
                    message.writeBytes(payload);
                    isWithinMessage = !isLast;
                    if (isLast) {
                        String text = utf8(message.toByteArray());
                        message.reset();
                        return new Message.Text(text);
                    }
                }
                case PING -> {
                    return new Message.Ping(payload);
                }
                case PONG -> {
                    return new Message.Pong();
                }
                case CLOSE -> {
                    return close(payload);
                }
                default -> throw new IllegalStateException("opcode " + opcode);
            }
        }
    }

    private void checkOrder(int opcode) {
        require(
                (opcode == CONTINUATION) == isWithinMessage,
                isWithinMessage
                        ? "a message began before the last one ended"
                        : "a fragment continues no message");
    }

    private int length(int seven, int opcode, boolean isLast) {
        switch (opcode) {
            case TEXT, CONTINUATION -> {}
            case BINARY ->
                    throw new WebSocketError(
                            CloseCode.UNSUPPORTED, "send text, this server takes no binary data");
            case CLOSE, PING, PONG ->
                    require(
                            isLast && seven <= MOST_CONTROL_BYTES,
                            "a control frame is fragmented or too long");
            default -> require(false, "there is no opcode " + opcode);
        }
        long length =
                switch (seven) {
                    case 126 -> number(source.read(2));
                    case 127 -> number(source.read(8));
                    default -> seven;
                };
        boolean isShortest =
                seven < 126 || (seven == 126 ? length > 125 : length < 0 || length > 0xffff);
        require(isShortest, "a length is not written in its shortest form");
        boolean isData = opcode == TEXT || opcode == CONTINUATION;
        if (isData && (length < 0 || length > mostBytes - message.size())) {
            throw new WebSocketError(
                    CloseCode.TOO_BIG, "a message has more than " + mostBytes + " bytes");
        }
        return (int) length;
    }

    private static long number(byte[] bytes) {
        long number = 0;
        for (byte one : bytes) {
            number = number << 8 | (one & 0xff);
        }
        return number;
    }

    private static byte[] unmasked(byte[] mask, byte[] payload) {
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i & 3];
        }
        return payload;
    }

    private static Message.Close close(byte[] payload) {
        if (payload.length == 0) {
            return new Message.Close(CloseCode.NONE, "");
        }
        require(payload.length >= 2, "a close frame has half a code");
        int code = (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
        require(CloseCode.isSendable(code), "a close frame has the code " + code);
        byte[] reason = new byte[payload.length - 2];
        System.arraycopy(payload, 2, reason, 0, reason.length);
        return new Message.Close(code, utf8(reason));
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new WebSocketError(CloseCode.NOT_UTF_8, "a text is not UTF-8");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new WebSocketError(CloseCode.PROTOCOL_ERROR, otherwise);
        }
    }
}
