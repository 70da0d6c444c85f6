package io.gpusched.core.policy.learned;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Digest;
import io.gpusched.core.policy.HeadRanker;
import io.gpusched.core.policy.RankingModel;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HexFormat;

/// A small neural network that scores each waiting job by itself: linear layers with a ReLU after
/// each but the last, which has one output.
///
///     features of one head ──▶ hidden layers ──▶ score
///
/// The weights of a layer are stored one row per input, followed by its biases; the layers follow
/// each other. That is also the layout of the networks that are trained.
public final class ScoreModel implements RankingModel {
    private static final int MOST_LAYERS = 16;
    private static final int MOST_WIDTH = 4096;

    private final String encoder;
    private final int[] sizes;
    private final float[] weights;
    private final long digest;

    /// @param encoder the version of the encoder that it was trained with
    /// @param sizes of the input, of each hidden layer, and of the output, which is 1
    public ScoreModel(String encoder, int[] sizes, float[] weights) {
        Check.that(
                !encoder.isEmpty() && encoder.chars().allMatch(ScoreModel::isPlain),
                "the encoder of a model has letters, digits, dots and dashes, found \"%s\"",
                encoder);
        Check.that(
                sizes.length >= 2 && sizes.length <= MOST_LAYERS + 1,
                "a model has 1 to %s layers, found %s",
                MOST_LAYERS,
                sizes.length - 1);
        for (int size : sizes) {
            Check.that(
                    size >= 1 && size <= MOST_WIDTH,
                    "a layer has 1 to %s values, found %s",
                    MOST_WIDTH,
                    size);
        }
        Check.that(
                sizes[sizes.length - 1] == 1,
                "a model has one output, found %s",
                sizes[sizes.length - 1]);
        Check.that(
                weights.length == weightsOf(sizes),
                "layers of %s need %s weights, found %s",
                Arrays.toString(sizes),
                weightsOf(sizes),
                weights.length);
        this.encoder = encoder;
        this.sizes = sizes.clone();
        this.weights = weights.clone();
        this.digest = digest(encoder, sizes, weights);
    }

    private static boolean isPlain(int character) {
        return character < 128
                && (Character.isLetterOrDigit(character) || character == '.' || character == '-');
    }

    /// How many weights a network of these sizes has.
    public static int weightsOf(int... sizes) {
        int count = 0;
        for (int i = 1; i < sizes.length; i++) {
            count += (sizes[i - 1] + 1) * sizes[i];
        }
        return count;
    }

    private static long digest(String encoder, int[] sizes, float[] weights) {
        long hash = Digest.of(encoder);
        for (int size : sizes) {
            hash = Digest.mix(hash, size);
        }
        for (float weight : weights) {
            hash = Digest.mix(hash, Float.floatToRawIntBits(weight));
        }
        return hash;
    }

    @Override
    public String name() {
        return encoder + "." + HexFormat.of().toHexDigits(digest);
    }

    public String encoder() {
        return encoder;
    }

    public int[] sizes() {
        return sizes.clone();
    }

    public float[] weights() {
        return weights.clone();
    }

    /// A fingerprint of the encoder version, the shape and the weights.
    public long digest() {
        return digest;
    }

    /// Why the scheduler cannot use the model, with both shapes; null if it can.
    public @Nullable String mismatch() {
        return mismatch(HeadEncoder.VERSION);
    }

    /// Why a program with this encoder cannot use the model, with both shapes; null if it can.
    ///
    /// @param expected the version of an encoder with the number of features of [HeadEncoder]
    public @Nullable String mismatch(String expected) {
        boolean matches = encoder.equals(expected) && sizes[0] == HeadEncoder.FEATURES;
        return matches
                ? null
                : "the model was trained for encoder "
                        + encoder
                        + " with "
                        + sizes[0]
                        + " features, and this program has encoder "
                        + expected
                        + " with "
                        + HeadEncoder.FEATURES;
    }

    @Override
    public HeadRanker ranker() {
        String mismatch = mismatch();
        Check.that(mismatch == null, "%s", String.valueOf(mismatch));
        return new LearnedRanker(this);
    }

    /// The memory of one computation, for at most `capacity` rows.
    public ForwardPass forwardPass(int capacity) {
        return new ForwardPass(sizes, weights, capacity);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ScoreModel model
                && encoder.equals(model.encoder)
                && Arrays.equals(sizes, model.sizes)
                && Arrays.equals(weights, model.weights);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(digest);
    }

    @Override
    public String toString() {
        return name() + " " + Arrays.toString(sizes);
    }
}
