package io.gpusched.rl.network;

import io.gpusched.core.model.Check;

/// The optimiser of Kingma and Ba (2015): steps follow the mean of recent gradients, divided by the
/// root of the mean of their squares.
public final class Adam {
    private static final double MEAN_DECAY = 0.9;
    private static final double SQUARE_DECAY = 0.999;
    private static final float EPSILON = 1e-8f;

    private final float[] means;
    private final float[] squares;
    private long steps;

    public Adam(int weights) {
        this(new float[weights], new float[weights], 0);
    }

    /// Continues where another optimiser stopped.
    public Adam(float[] means, float[] squares, long steps) {
        Check.that(
                means.length == squares.length,
                "as many means as squares, found %s and %s",
                means.length,
                squares.length);
        this.means = means;
        this.squares = squares;
        this.steps = steps;
    }

    public float[] means() {
        return means;
    }

    public float[] squares() {
        return squares;
    }

    public long steps() {
        return steps;
    }

    /// Changes the weights by one step against the gradient, which is scaled first.
    public void step(float[] weights, float[] gradient, float scale, double rate) {
        steps++;
        float decay = (float) MEAN_DECAY;
        float squareDecay = (float) SQUARE_DECAY;
        float size = (float) (rate / (1 - StrictMath.pow(MEAN_DECAY, (double) steps)));
        float correction =
                (float) (1 / Math.sqrt(1 - StrictMath.pow(SQUARE_DECAY, (double) steps)));
        for (int i = 0; i < weights.length; i++) {
            float slope = scale * gradient[i];
            float mean = decay * means[i] + (1 - decay) * slope;
            float square = squareDecay * squares[i] + (1 - squareDecay) * slope * slope;
            means[i] = mean;
            squares[i] = square;
            weights[i] -= size * mean / ((float) Math.sqrt(square) * correction + EPSILON);
        }
    }

    /// The sum of the squares of a gradient. It is not finite if any number of the gradient is not.
    public static double squaredNorm(float[] gradient) {
        double sum = 0;
        for (float each : gradient) {
            sum += (double) each * each;
        }
        return sum;
    }

    /// The factor that shortens a gradient of this squared norm to at most `maxNorm`.
    public static float clipScale(double squaredNorm, double maxNorm) {
        double norm = Math.sqrt(squaredNorm);
        return norm > maxNorm ? (float) (maxNorm / norm) : 1;
    }
}
