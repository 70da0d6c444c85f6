package io.gpusched.rl.ppo;

import io.gpusched.rl.network.Adam;
import io.gpusched.rl.network.NeuralNetwork;
import io.gpusched.rl.network.WeightLayout;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Writes and reads checkpoints.
///
///     "GPUSCHRL"   version   length of the file   contents   SHA-256 of all before
///
/// The contents are the plan, the progress, both networks with the names and sizes of their parts,
/// and, for resuming, the optimisers and the episodes under way. Numbers are big-endian.
///
/// A file is written beside its place and then moved there, so that an interrupted write leaves the
/// earlier checkpoint. A file is checked as a whole before anything in it is used.
public final class CheckpointFile {
    static final int VERSION = 1;

    private static final byte[] MAGIC = "GPUSCHRL".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = MAGIC.length + Integer.BYTES + Long.BYTES;
    private static final int DIGEST = 32;

    private CheckpointFile() {}

    public static void write(Path file, Checkpoint checkpoint) throws IOException {
        var contents = new ByteArrayOutputStream();
        writeContents(new DataOutputStream(contents), checkpoint);
        var all = new ByteArrayOutputStream(HEADER + contents.size() + DIGEST);
        var out = new DataOutputStream(all);
        out.write(MAGIC);
        out.writeInt(VERSION);
        out.writeLong(HEADER + contents.size() + DIGEST);
        contents.writeTo(out);
        byte[] digest = sha256().digest(all.toByteArray());
        out.write(digest);
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.write(temporary, all.toByteArray());
        Files.move(
                temporary,
                file,
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    /// Reads a checkpoint, or throws [BadCheckpoint] if the file is not a whole one.
    public static Checkpoint read(Path file) throws IOException {
        return parse(file.toString(), Files.readAllBytes(file));
    }

    /// Reads a checkpoint from memory.
    ///
    /// @param name what messages call it
    public static Checkpoint parse(String name, byte[] bytes) {
        check(name, bytes);
        var in =
                new DataInputStream(
                        new ByteArrayInputStream(bytes, HEADER, bytes.length - HEADER - DIGEST));
        try {
            return readContents(name, in);
        } catch (IOException | IllegalArgumentException wrong) {
            throw new BadCheckpoint(
                    name + ": the checkpoint cannot be understood: " + wrong.getMessage());
        }
    }

    /// The SHA-256 at the end of a checkpoint, which identifies it.
    public static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(bytes, bytes.length - DIGEST, bytes.length);
    }

    private static void check(String name, byte[] bytes) {
        boolean ours =
                bytes.length >= MAGIC.length
                        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
        if (!ours) {
            throw new BadCheckpoint(name + ": not a checkpoint of this program");
        }
        if (bytes.length < HEADER) {
            throw new BadCheckpoint(name + ": the checkpoint is truncated within its header");
        }
        var header = ByteBuffer.wrap(bytes);
        int version = header.getInt(MAGIC.length);
        if (version != VERSION) {
            throw new BadCheckpoint(
                    name + ": expected checkpoint version " + VERSION + ", found " + version);
        }
        long length = header.getLong(MAGIC.length + Integer.BYTES);
        if (length != bytes.length) {
            String state = bytes.length < length ? "truncated" : "too long";
            throw new BadCheckpoint(
                    name
                            + ": the checkpoint is "
                            + state
                            + ": expected "
                            + length
                            + " bytes, found "
                            + bytes.length);
        }
        MessageDigest sha = sha256();
        sha.update(bytes, 0, bytes.length - DIGEST);
        byte[] found = Arrays.copyOfRange(bytes, bytes.length - DIGEST, bytes.length);
        if (!MessageDigest.isEqual(sha.digest(), found)) {
            throw new BadCheckpoint(
                    name + ": the checkpoint is damaged: its SHA-256 does not match its contents");
        }
    }

    private static void writeContents(DataOutputStream out, Checkpoint checkpoint)
            throws IOException {
        PlanCodec.write(out, checkpoint.plan());
        out.writeInt(checkpoint.progress().update());
        out.writeInt(checkpoint.progress().bestUpdate());
        out.writeDouble(checkpoint.progress().bestMean());
        writeNetwork(out, checkpoint.policy());
        writeNetwork(out, checkpoint.value());
        Checkpoint.RunState state = checkpoint.state();
        out.writeBoolean(state != null);
        if (state != null) {
            out.writeInt(state.episodes.size());
            for (int i = 0; i < state.episodes.size(); i++) {
                out.writeLong(state.episodes.get(i));
                int[] actions = state.actions.get(i);
                out.writeInt(actions.length);
                for (int action : actions) {
                    out.writeInt(action);
                }
            }
        }
    }

    private static Checkpoint readContents(String name, DataInputStream in) throws IOException {
        TrainingPlan plan = PlanCodec.read(in);
        ModelShape present =
                ModelShape.of(
                        plan.shape().architecture(),
                        plan.shape().lookahead(),
                        plan.shape().window(),
                        plan.shape().gpus());
        if (!present.equals(plan.shape())) {
            throw new BadCheckpoint(
                    name + ": another shape: expected " + present + "; found " + plan.shape());
        }
        var progress = new Checkpoint.Progress(in.readInt(), in.readInt(), in.readDouble());
        TrainedNetwork policy = readNetwork(name, in, plan.shape().policy());
        TrainedNetwork value = readNetwork(name, in, plan.shape().value());
        return new Checkpoint(plan, progress, policy, value, readState(in));
    }

    private static Checkpoint.@Nullable RunState readState(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        var state = new Checkpoint.RunState();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            long episode = in.readLong();
            var actions = new int[in.readInt()];
            for (int k = 0; k < actions.length; k++) {
                actions[k] = in.readInt();
            }
            state.add(episode, actions);
        }
        return state;
    }

    private static void writeNetwork(DataOutputStream out, TrainedNetwork trained)
            throws IOException {
        List<WeightLayout.Part> parts = trained.network().layout().parts();
        out.writeInt(parts.size());
        for (WeightLayout.Part part : parts) {
            out.writeUTF(part.name());
            out.writeInt(part.rows());
            out.writeInt(part.columns());
        }
        writeFloats(out, trained.weights());
        Adam optimiser = trained.optimiser();
        writeFloats(out, optimiser.means());
        writeFloats(out, optimiser.squares());
        out.writeLong(optimiser.steps());
    }

    private static TrainedNetwork readNetwork(
            String name, DataInputStream in, NeuralNetwork network) throws IOException {
        var found = new WeightLayout();
        int parts = in.readInt();
        for (int i = 0; i < parts; i++) {
            found.add(in.readUTF(), in.readInt(), in.readInt());
        }
        if (!found.parts().equals(network.layout().parts())) {
            throw new BadCheckpoint(
                    name
                            + ": another shape: expected weights "
                            + network.layout().parts()
                            + "; found "
                            + found.parts());
        }
        float[] weights = readFloats(in);
        return new TrainedNetwork(
                network, weights, new Adam(readFloats(in), readFloats(in), in.readLong()));
    }

    private static void writeFloats(DataOutputStream out, float[] numbers) throws IOException {
        var bytes = ByteBuffer.allocate(Float.BYTES * numbers.length);
        bytes.asFloatBuffer().put(numbers);
        out.writeInt(numbers.length);
        out.write(bytes.array());
    }

    private static float[] readFloats(DataInputStream in) throws IOException {
        var numbers = new float[in.readInt()];
        byte[] bytes = in.readNBytes(Float.BYTES * numbers.length);
        ByteBuffer.wrap(bytes).asFloatBuffer().get(numbers);
        return numbers;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java has SHA-256", absent);
        }
    }
}
