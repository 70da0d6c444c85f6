package io.gpusched.core.scale;

import io.gpusched.core.pool.IterationTimes;

/// How fast one replica works, learned from what replicas did.
///
/// An iteration takes `fixed + perRequest · running + perPromptToken · prompt tokens`; the KV cache
/// fills with the running requests, so its part is in `perRequest`. Before anything was seen the
/// figures are those of a model with 70 billion parameters on four GPUs.
///
/// @param fixed seconds of an iteration
/// @param perRequest seconds for each running request
/// @param perPromptToken seconds for each prompt token
public record ServiceModel(double fixed, double perRequest, double perPromptToken) {
    /// The most tokens of one iteration; the usual setting of serving engines.
    public static final int BUDGET = 2_048;

    /// Prompts always get so much of an iteration.
    private static final int LEAST_PROMPT = 256;

    private static final int TERMS = 4;

    /// The terms are scaled so that 1 is a usual load: one, 32 requests, a fifth of the KV cache,
    /// and 256 prompt tokens.
    private static final double[] SCALE = {1, 32, 200, 256};

    /// What the terms cost in seconds before anything was seen.
    private static final double[] PRIOR = {0.030, 0.008, 0.008, 0.025};

    /// For how many observations the prior counts.
    private static final double PRIOR_WEIGHT = 4;

    /// The share of the KV cache that a running request is assumed to fill, in thousandths.
    private static final double KV_PER_REQUEST = 3;

    private static final double LEAST_FIXED = 0.001;

    /// Fits the terms by least squares, with the prior as further observations.
    public static ServiceModel fit(IterationTimes times) {
        double[][] matrix = new double[TERMS][TERMS];
        double[] right = new double[TERMS];
        for (int i = 0; i < TERMS; i++) {
            matrix[i][i] = PRIOR_WEIGHT;
            right[i] = PRIOR_WEIGHT * PRIOR[i];
        }
        double running = 1;
        double kv = KV_PER_REQUEST;
        for (IterationTimes.Cell cell : times.cells()) {
            if (cell.count() > 0) {
                add(matrix, right, cell);
                running += cell.milliRunning() / 1_000.0;
                kv += cell.kvPermille();
            }
        }
        double[] found = solve(matrix, right);
        double request = Math.max(0, found[1]) / SCALE[1];
        double cache = Math.max(0, found[2]) / SCALE[2];
        return new ServiceModel(
                Math.max(LEAST_FIXED, found[0]),
                request + cache * kv / running,
                Math.max(0, found[3]) / SCALE[3]);
    }

    private static void add(double[][] matrix, double[] right, IterationTimes.Cell cell) {
        double count = cell.count();
        double[] terms = {
            1,
            cell.milliRunning() / 1_000.0 / count / SCALE[1],
            cell.kvPermille() / count / SCALE[2],
            cell.promptTokens() / count / SCALE[3]
        };
        for (int i = 0; i < TERMS; i++) {
            right[i] += count * terms[i] * cell.micros() / count / 1e6;
            for (int j = 0; j < TERMS; j++) {
                matrix[i][j] += count * terms[i] * terms[j];
            }
        }
    }

    /// By elimination: the prior makes the matrix positive definite, so it needs no pivots.
    private static double[] solve(double[][] a, double[] b) {
        for (int k = 0; k < TERMS; k++) {
            for (int i = k + 1; i < TERMS; i++) {
                double factor = a[i][k] / a[k][k];
                for (int j = k; j < TERMS; j++) {
                    a[i][j] -= factor * a[k][j];
                }
                b[i] -= factor * b[k];
            }
        }
        for (int i = TERMS - 1; i >= 0; i--) {
            for (int j = i + 1; j < TERMS; j++) {
                b[i] -= a[i][j] * b[j];
            }
            b[i] /= a[i][i];
        }
        return b;
    }

    /// Seconds of an iteration without prompt tokens.
    double decoding(double running) {
        return fixed + perRequest * running;
    }

    /// The most prompt tokens of an iteration.
    double room(double running) {
        return Math.max(LEAST_PROMPT, BUDGET - running);
    }

    /// Seconds of an iteration that is full of prompt tokens.
    double longest(double running) {
        return decoding(running) + perPromptToken * room(running);
    }
}
