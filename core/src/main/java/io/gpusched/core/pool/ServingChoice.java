package io.gpusched.core.pool;

import java.time.Instant;

/// On what capacity the next replicas of a pool run, and which model they load.
///
/// @param since when it was chosen
/// @param spot whether they may run on spot capacity
/// @param rule which rule decided, in a few words
/// @param reason a sentence with the figures, for people
public record ServingChoice(Instant since, boolean spot, String model, String rule, String reason) {
    /// What a pool does before any figure is known.
    public static ServingChoice initial(Pool pool) {
        boolean spot = pool.cost().spotPercent() > 0;
        return new ServingChoice(
                Instant.EPOCH, spot, pool.model(), "initial", "nothing is known yet");
    }

    /// Whether replicas are made the same way.
    public boolean isLike(ServingChoice other) {
        return spot == other.spot && model.equals(other.model);
    }
}
