package io.gpusched.sim.replica;

/// How long one iteration of a replica takes, in milliseconds, and what fits into it.
///
/// @param idle the fixed part when no request decodes
/// @param fixed the fixed part when one does
/// @param running per request that decodes
/// @param kv per token in the KV cache
/// @param prompt per prompt token of the iteration
/// @param budget the most tokens of one iteration, decoded ones and prompt tokens together
/// @param requests the most requests that decode at once
/// @param cache the most tokens in the KV cache
public record IterationCost(
        double idle,
        double fixed,
        double running,
        double kv,
        double prompt,
        int budget,
        int requests,
        int cache) {
    /// Llama 2 with 70 billion parameters on four H100, fitted to published measurements.
    public static final IterationCost LLAMA2_70B =
            new IterationCost(17.1, 28.82, 0.264, 1.01e-4, 0.0942, 2_048, 256, 452_000);

    double seconds(int decoding, long held, int tokens) {
        return ((decoding > 0 ? fixed : idle) + running * decoding + kv * held + prompt * tokens)
                / 1000;
    }
}
