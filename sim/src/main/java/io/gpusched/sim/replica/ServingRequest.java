package io.gpusched.sim.replica;

/// A request to a model.
///
/// @param number its place in the trace, from 0
/// @param arrival in seconds from the beginning of the trace
/// @param prompt tokens that the model reads
/// @param output tokens that it generates, at least 1
public record ServingRequest(int number, double arrival, int prompt, int output) {
    /// The most tokens that it holds in the KV cache.
    int tokens() {
        return prompt + output;
    }
}
