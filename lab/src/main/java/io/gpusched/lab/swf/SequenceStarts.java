package io.gpusched.lab.swf;

import io.gpusched.sim.generate.RandomStream;
import io.gpusched.sim.trace.BadTrace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The first rows of the sequences.
public final class SequenceStarts {
    private SequenceStarts() {}

    /// Rows of the trace, drawn as the published experiment draws them.
    public static int[] draw(long seed, int jobs, int length, int sequences) {
        if (jobs < 2 * length + 2) {
            throw new BadTrace(
                    "sequences of %d jobs need a trace of at least %d, found %d; choose a smaller --length"
                            .formatted(length, 2 * length + 2, jobs));
        }
        RandomStream dice = stream(seed);
        var starts = new int[sequences];
        for (int i = 0; i < sequences; i++) {
            starts[i] = dice.whole(length, jobs - length - 1);
        }
        return starts;
    }

    /// As the library of that time seeds a stream: with the first eight bytes of the SHA-512 of the
    /// seed's digits, as two words of which a leading zero is left out.
    private static RandomStream stream(long seed) {
        var words = ByteBuffer.wrap(sha512(Long.toString(seed))).order(ByteOrder.LITTLE_ENDIAN);
        int low = words.getInt();
        int high = words.getInt();
        return high == 0 ? RandomStream.ofWords(low) : RandomStream.ofWords(low, high);
    }

    private static byte[] sha512(String text) {
        try {
            return MessageDigest.getInstance("SHA-512")
                    .digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java knows SHA-512", e);
        }
    }
}
