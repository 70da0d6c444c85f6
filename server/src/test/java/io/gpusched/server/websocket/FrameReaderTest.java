package io.gpusched.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

final class FrameReaderTest {
    private static final int MOST = 8192;
    private static final int TEXT = 0x81;
    private static final int TEXT_BEGINS = 0x01;
    private static final int CONTINUES = 0x00;
    private static final int CONTINUES_LAST = 0x80;
    private static final int BINARY = 0x82;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;

    @Test
    void theAnswerToTheExampleOfTheSpecificationIsTheOneThere() {
        assertThat(Handshake.accept("dGhlIHNhbXBsZSBub25jZQ=="))
                .isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assertThat(Handshake.isKey("dGhlIHNhbXBsZSBub25jZQ==")).isTrue();
        assertThat(Handshake.isKey("c2hvcnQ=")).isFalse();
        assertThat(Handshake.isKey("%%%")).isFalse();
    }

    @Test
    void aTextIsUnmaskedWhateverItsLength() {
        for (int length : new int[] {0, 1, 125, 126, 127, 4000, MOST}) {
            String text = "ä".repeat(length / 2) + "x".repeat(length % 2);
            assertThat(reader(frame(TEXT, text)).next()).isEqualTo(new Message.Text(text));
        }
    }

    @Test
    void fragmentsAreJoinedAndAPingMayComeBetweenThem() {
        var reader =
                reader(
                        frame(TEXT_BEGINS, "one "),
                        frame(PING, "are you there"),
                        frame(CONTINUES, "two "),
                        frame(CONTINUES_LAST, "three"),
                        frame(TEXT, "next"));
        assertThat(reader.next())
                .asInstanceOf(type(Message.Ping.class))
                .satisfies(
                        ping -> assertThat(ping.payload()).asString().isEqualTo("are you there"));
        assertThat(reader.next()).isEqualTo(new Message.Text("one two three"));
        assertThat(reader.next()).isEqualTo(new Message.Text("next"));
    }

    @Test
    void aCharacterMayBeSplitBetweenFragments() {
        byte[] euro = "€".getBytes(StandardCharsets.UTF_8);
        var reader =
                reader(
                        frame(TEXT_BEGINS, new byte[] {euro[0]}),
                        frame(CONTINUES_LAST, new byte[] {euro[1], euro[2]}));
        assertThat(reader.next()).isEqualTo(new Message.Text("€"));
    }

    @Test
    void aMessageThatIsTooLargeIsRefusedByItsLength() {
        refused(1009, frame(TEXT, "x".repeat(MOST + 1)));
        refused(1009, frame(TEXT_BEGINS, "x".repeat(MOST)), frame(CONTINUES_LAST, "x"));
        byte[] giant = {(byte) TEXT, (byte) 0xff, 0x7f, -1, -1, -1, -1, -1, -1, -1};
        refused(1009, giant);
        byte[] negative = {(byte) TEXT, (byte) 0xff, -1, -1, -1, -1, -1, -1, -1, -1};
        refused(1009, negative);
    }

    @Test
    void whatTheProtocolForbidsIsRefused() {
        refused(1002, new byte[] {(byte) TEXT, 0x01, 'x'});
        refused(1002, frame(0xc1, "reserved bit"));
        refused(1002, frame(0x83, "unknown opcode"));
        refused(1002, frame(0x8b, "unknown control opcode"));
        refused(1002, frame(CONTINUES_LAST, "continues nothing"));
        refused(1002, frame(TEXT_BEGINS, "one"), frame(TEXT, "two"));
        refused(1002, frame(0x09, "a fragmented ping"));
        refused(1002, frame(PING, "x".repeat(126)));
        refused(1002, new byte[] {(byte) TEXT, (byte) 0xfe, 0, 5, 0, 0, 0, 0, 1, 2, 3, 4, 5});
        refused(1003, frame(BINARY, "bytes"));
    }

    @Test
    void aTextThatIsNotUtf8IsRefused() {
        refused(1007, frame(TEXT, new byte[] {(byte) 0xc3, 0x28}));
        refused(1007, frame(TEXT, new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}));
        refused(1007, frame(CLOSE, new byte[] {3, (byte) 0xe8, (byte) 0xff}));
    }

    @Test
    void aCloseFrameHasACodeAndAReasonOrNeither() {
        assertThat(reader(frame(CLOSE, "")).next()).isEqualTo(new Message.Close(1005, ""));
        assertThat(reader(frame(CLOSE, new byte[] {3, (byte) 0xe8, 'b', 'y', 'e'})).next())
                .isEqualTo(new Message.Close(1000, "bye"));
        refused(1002, frame(CLOSE, new byte[] {3}));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535})
    void aCloseCodeThatMustNotBeSentIsRefused(int code) {
        refused(1002, frame(CLOSE, new byte[] {(byte) (code >> 8), (byte) code}));
    }

    @Test
    void anyBytesGiveAMessageAnErrorOrTheEnd() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            var reader = reader(bytes);
            try {
                while (true) {
                    assertThat(reader.next()).as("seed %d", seed).isNotNull();
                }
            } catch (WebSocketError | UncheckedIOException expected) {
                assertThat(expected).as("seed %d", seed).isNotNull();
            }
        }
    }

    @Test
    void theReasonOfACloseIsCutBetweenCharacters() {
        byte[] frame = new FrameWriter().close(1008, "€".repeat(100)).take();
        assertThat(frame[1]).isLessThanOrEqualTo((byte) 125);
        assertThat(new String(frame, 4, frame.length - 4, StandardCharsets.UTF_8))
                .isEqualTo("€".repeat(41));
    }

    private static void refused(int code, byte[]... frames) {
        var reader = reader(frames);
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                reader.next();
                            }
                        })
                .isInstanceOfSatisfying(
                        WebSocketError.class, error -> assertThat(error.code()).isEqualTo(code));
    }

    private static FrameReader reader(byte[]... frames) {
        var all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        var in = new ByteArrayInputStream(all.toByteArray());
        return new FrameReader(length -> read(in, length), MOST);
    }

    private static byte[] read(ByteArrayInputStream in, int length) {
        byte[] bytes = new byte[length];
        if (in.readNBytes(bytes, 0, length) < length) {
            throw new UncheckedIOException(new IOException("the end"));
        }
        return bytes;
    }

    private static byte[] frame(int first, String text) {
        return frame(first, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] frame(int first, byte[] payload) {
        byte[] mask = {1, 2, 3, 4};
        var out = new ByteArrayOutputStream();
        out.write(first);
        if (payload.length < 126) {
            out.write(0x80 | payload.length);
        } else {
            out.write(0x80 | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        }
        out.writeBytes(mask);
        for (int i = 0; i < payload.length; i++) {
            out.write(payload[i] ^ mask[i & 3]);
        }
        return out.toByteArray();
    }
}
