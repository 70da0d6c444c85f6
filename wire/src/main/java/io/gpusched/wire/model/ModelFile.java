package io.gpusched.wire.model;

import io.gpusched.core.model.Check;
import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// Writes and reads models that order the queue.
///
///     "GPUSCHQO"   version   length of the file   contents   SHA-256 of all before
///
/// The contents are the version of the encoder (its length in bytes and its characters), the number
/// of sizes, the sizes of the input, the hidden layers and the output, and the weights as 32-bit
/// floating-point numbers in the order of [ScoreModel]. Numbers are big-endian; lengths, counts and
/// sizes have 4 bytes, and the length of the file has 8.
///
/// A file is checked as a whole before anything in it is used, so a file that was cut off or
/// altered is refused. It is written beside its place and then moved there.
public final class ModelFile {
    /// The largest file that is read, in bytes.
    public static final int MOST_BYTES = 2 << 20;

    static final int VERSION = 1;

    private static final byte[] MAGIC = "GPUSCHQO".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = MAGIC.length + Integer.BYTES + Long.BYTES;
    private static final int DIGEST = 32;
    private static final int MOST_SIZES = 64;
    private static final int MOST_NAME = 100;

    private ModelFile() {}

    public static void write(Path file, ScoreModel model) throws IOException {
        FileReplacement.write(file, bytes(model));
    }

    /// Reads a model that the scheduler can use, or throws [BadModelFile].
    public static ScoreModel read(Path file) {
        return read(file, HeadEncoder.VERSION);
    }

    /// Reads a model for this version of the encoder, or throws [BadModelFile].
    public static ScoreModel read(Path file, String encoder) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw bad(
                        file.toString(),
                        "expected at most " + MOST_BYTES + " bytes, found " + Files.size(file));
            }
            return parse(file.toString(), Files.readAllBytes(file), encoder);
        } catch (NoSuchFileException missing) {
            throw bad(file.toString(), "there is no such file");
        } catch (IOException failed) {
            throw bad(file.toString(), "it cannot be read (" + failed.getMessage() + ")");
        }
    }

    /// The bytes of a model file.
    public static byte[] bytes(ScoreModel model) {
        byte[] encoder = model.encoder().getBytes(StandardCharsets.US_ASCII);
        int[] sizes = model.sizes();
        float[] weights = model.weights();
        int length =
                HEADER
                        + Integer.BYTES * (2 + sizes.length)
                        + encoder.length
                        + Float.BYTES * weights.length
                        + DIGEST;
        var to = ByteBuffer.allocate(length);
        to.put(MAGIC).putInt(VERSION).putLong(length);
        to.putInt(encoder.length).put(encoder).putInt(sizes.length);
        for (int size : sizes) {
            to.putInt(size);
        }
        for (float weight : weights) {
            to.putFloat(weight);
        }
        to.put(sha256(to.array(), length - DIGEST));
        return to.array();
    }

    /// Reads a model that the scheduler can use from memory, or throws [BadModelFile].
    ///
    /// @param name what messages call it
    public static ScoreModel parse(String name, byte[] bytes) {
        return parse(name, bytes, HeadEncoder.VERSION);
    }

    /// Reads a model for this version of the encoder from memory, or throws [BadModelFile].
    ///
    /// @param name what messages call it
    public static ScoreModel parse(String name, byte[] bytes, String encoder) {
        checkWhole(name, bytes);
        ScoreModel model;
        try {
            model = model(ByteBuffer.wrap(bytes, HEADER, bytes.length - HEADER - DIGEST));
        } catch (Check.Broken wrong) {
            throw bad(name, String.valueOf(wrong.getMessage()));
        }
        String mismatch = model.mismatch(encoder);
        if (mismatch != null) {
            throw bad(
                    name,
                    mismatch
                            + "; its layers are "
                            + Arrays.toString(model.sizes())
                            + ". Train it again with this release, on the workload that it is"
                            + " used for: batch logs and clusters need different models");
        }
        return model;
    }

    private static void checkWhole(String name, byte[] bytes) {
        if (bytes.length < HEADER + DIGEST
                || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw bad(name, "it is not a model file, or only the beginning of one");
        }
        var header = ByteBuffer.wrap(bytes, MAGIC.length, HEADER - MAGIC.length);
        int version = header.getInt();
        if (version != VERSION) {
            throw bad(name, "expected version " + VERSION + " of the format, found " + version);
        }
        long length = header.getLong();
        if (length != bytes.length) {
            throw bad(
                    name,
                    "expected "
                            + length
                            + " bytes, found "
                            + bytes.length
                            + "; the file was cut off or changed");
        }
        byte[] digest = sha256(bytes, bytes.length - DIGEST);
        if (!Arrays.equals(digest, 0, DIGEST, bytes, bytes.length - DIGEST, bytes.length)) {
            throw bad(name, "its checksum is wrong; the file was changed");
        }
    }

    private static ScoreModel model(ByteBuffer from) {
        int named = count(from, MOST_NAME, "characters of the encoder");
        var encoder = new byte[named];
        Check.that(from.remaining() >= named, "the encoder is missing");
        from.get(encoder);
        int layers = count(from, MOST_SIZES, "sizes");
        var sizes = new int[layers];
        for (int i = 0; i < layers; i++) {
            sizes[i] = count(from, MOST_BYTES, "values of a layer");
        }
        Check.that(
                from.remaining() % Float.BYTES == 0,
                "expected whole weights, found %s bytes",
                from.remaining());
        var weights = new float[from.remaining() / Float.BYTES];
        from.asFloatBuffer().get(weights);
        return new ScoreModel(new String(encoder, StandardCharsets.US_ASCII), sizes, weights);
    }

    private static int count(ByteBuffer from, int most, String what) {
        Check.that(from.remaining() >= Integer.BYTES, "the number of %s is missing", what);
        int count = from.getInt();
        Check.that(count >= 0 && count <= most, "expected 0 to %s %s, found %s", most, what, count);
        return count;
    }

    private static byte[] sha256(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static BadModelFile bad(String name, String why) {
        return new BadModelFile(name + ": " + why);
    }
}
