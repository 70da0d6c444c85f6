package io.gpusched.lab.order;

import io.gpusched.rl.evolve.EvolutionStrategy;
import io.gpusched.wire.model.FileReplacement;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;

/// Stores a training run that is under way, so that it can be continued. The file begins with a
/// description of the run; a run with other settings must not continue it. It is written beside its
/// place and then moved there, and checked as a whole before it is used.
///
///     "GPUSCHOT"   CRC-32 of the rest   description   generation   best cost   best   state
public final class ProgressFile {
    private static final byte[] MAGIC = "GPUSCHOT".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = MAGIC.length + Long.BYTES;

    private ProgressFile() {}

    /// A file cannot be used to continue a run. The message says why.
    public static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unusable(Path file, String why) {
            super(file + ": " + why);
        }
    }

    public static void write(Path file, String description, OrderTraining.Progress progress)
            throws IOException {
        byte[] text = description.getBytes(StandardCharsets.UTF_8);
        float[] best = progress.best();
        float[] state = progress.state().numbers();
        int size = HEADER + text.length + 5 * Integer.BYTES + Double.BYTES;
        var to = ByteBuffer.allocate(size + Float.BYTES * (best.length + state.length));
        to.put(MAGIC).putLong(0).putInt(text.length).put(text);
        to.putInt(progress.state().generation()).putDouble(progress.bestCost());
        to.putInt(best.length);
        for (float number : best) {
            to.putFloat(number);
        }
        to.putInt(state.length);
        for (float number : state) {
            to.putFloat(number);
        }
        int end = to.position();
        to.putLong(MAGIC.length, checksum(to.array(), end));
        FileReplacement.write(file, Arrays.copyOf(to.array(), end));
    }

    /// Throws [Unusable] if the file is damaged or of a run with another description.
    public static OrderTraining.Progress read(Path file, String description) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        var from = ByteBuffer.wrap(bytes);
        var magic = new byte[MAGIC.length];
        if (bytes.length < HEADER
                || !ByteBuffer.wrap(bytes, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))
                || from.getLong(MAGIC.length) != checksum(bytes, bytes.length)) {
            throw new Unusable(
                    file, "expected a training run, found another or a damaged file; delete it");
        }
        from.get(magic).getLong();
        var text = new byte[from.getInt()];
        from.get(text);
        String found = new String(text, StandardCharsets.UTF_8);
        if (!found.equals(description)) {
            throw new Unusable(
                    file,
                    "expected a run with %s, found one with %s; choose the same settings or another --out"
                            .formatted(description, found));
        }
        int generation = from.getInt();
        double bestCost = from.getDouble();
        float[] best = floats(from);
        float[] state = floats(from);
        return new OrderTraining.Progress(
                EvolutionStrategy.State.of(generation, state), best, bestCost);
    }

    private static float[] floats(ByteBuffer from) {
        var numbers = new float[from.getInt()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = from.getFloat();
        }
        return numbers;
    }

    private static long checksum(byte[] bytes, int end) {
        var sum = new CRC32();
        sum.update(bytes, HEADER, end - HEADER);
        return sum.getValue();
    }
}
