package io.gpusched.rl.network;

/// Turns logits into probabilities of the allowed actions. The others have probability 0.
public final class MaskedSoftmax {
    private MaskedSoftmax() {}

    /// Writes the probabilities of one row of actions.
    ///
    /// @param at where the row begins, in all three arrays
    public static void probabilities(
            float[] logits, boolean[] allowed, int at, int actions, float[] probabilities) {
        float most = Float.NEGATIVE_INFINITY;
        for (int i = at; i < at + actions; i++) {
            most = allowed[i] ? Math.max(most, logits[i]) : most;
        }
        float sum = 0;
        for (int i = at; i < at + actions; i++) {
            probabilities[i] = allowed[i] ? (float) StrictMath.exp(logits[i] - most) : 0;
            sum += probabilities[i];
        }
        for (int i = at; i < at + actions; i++) {
            probabilities[i] /= sum;
        }
    }

    /// The allowed action with the largest logit; of equals the first.
    public static int best(float[] logits, boolean[] allowed, int at, int actions) {
        int best = -1;
        for (int i = 0; i < actions; i++) {
            if (allowed[at + i] && (best < 0 || logits[at + i] > logits[at + best])) {
                best = i;
            }
        }
        return best;
    }

    /// The action at which the sum of the probabilities first exceeds `point`, which is drawn
    /// evenly from 0 to 1.
    public static int sample(float[] probabilities, int at, int actions, double point) {
        int chosen = -1;
        double left = point;
        for (int i = 0; i < actions; i++) {
            if (probabilities[at + i] > 0) {
                chosen = i;
                left -= probabilities[at + i];
                if (left < 0) {
                    return chosen;
                }
            }
        }
        return chosen;
    }

    /// How undecided a row of probabilities is: 0 if one action is certain.
    public static float entropy(float[] probabilities, int at, int actions) {
        float sum = 0;
        for (int i = at; i < at + actions; i++) {
            float p = probabilities[i];
            sum -= p > 0 ? p * log(p) : 0;
        }
        return sum;
    }

    /// The logarithm of a probability; of 0, that of the smallest float.
    public static float log(float probability) {
        return (float) StrictMath.log(Math.max(probability, Float.MIN_NORMAL));
    }
}
