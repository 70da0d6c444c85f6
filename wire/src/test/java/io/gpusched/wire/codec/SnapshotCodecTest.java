package io.gpusched.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

final class SnapshotCodecTest {
    private static final int SEEDS = 100;

    private final SnapshotCodec codec = new SnapshotCodec();

    @Test
    void aSnapshotComesBackEqual() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Snapshot snapshot = new RandomFacts(seed).any(Snapshot.class);
            assertThat(read(written(snapshot))).as("seed %s", seed).isEqualTo(snapshot);
        }
    }

    @Test
    void aSnapshotThatIsCutShortIsUnreadable() throws IOException {
        byte[] whole = written(new RandomFacts(3).any(Snapshot.class));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(UnreadableException.class)
                    .as("first %s bytes", length)
                    .isThrownBy(() -> read(cut));
        }
    }

    @Test
    void anythingElseIsUnreadableAndNothingWorse() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            byte[] bytes = written(new RandomFacts(seed).any(Snapshot.class));
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                read(bytes);
            } catch (UnreadableException refused) {
                assertThat(refused).as("seed %s", seed).hasMessageContaining("s");
            }
        }
    }

    private byte[] written(Snapshot snapshot) throws IOException {
        var bytes = new ByteArrayOutputStream();
        codec.write(snapshot, bytes);
        return bytes.toByteArray();
    }

    private Snapshot read(byte[] bytes) throws IOException {
        return codec.read(new ByteArrayInputStream(bytes));
    }
}
