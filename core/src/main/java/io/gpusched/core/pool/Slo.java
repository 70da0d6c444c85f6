package io.gpusched.core.pool;

/// The service level objectives of a pool; 0 where there is none.
///
/// @param firstTokenMillis the longest time from a request to its first token
/// @param interTokenMillis the longest mean time between two tokens of one answer
/// @param tokensPerSecond the fewest tokens per second of one answer
/// @param permille how many of 1,000 requests must meet the objectives
public record Slo(int firstTokenMillis, int interTokenMillis, int tokensPerSecond, int permille) {
    public static final Slo NONE = new Slo(0, 0, 0, 0);

    public boolean isNone() {
        return firstTokenMillis == 0 && interTokenMillis == 0 && tokensPerSecond == 0;
    }
}
