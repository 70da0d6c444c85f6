package io.gpusched.rl.ppo;

/// What an update did. Losses are those of its last minibatch.
///
/// @param steps all steps so far, of this and earlier updates
/// @param episodes how many episodes ended while steps were collected
/// @param meanReturn of those episodes; not a number if there were none
/// @param klLast how far the last minibatch found the policy from the one that collected the steps
/// @param stopped whether the update stopped early because the policy had moved too far
public record UpdateResult(
        int update,
        long steps,
        int episodes,
        double meanReturn,
        double meanLength,
        double invalidPart,
        double noopPart,
        double rate,
        double entropyBonus,
        double klLast,
        double klMean,
        double klMax,
        boolean stopped,
        double loss,
        double policyLoss,
        double valueLoss,
        double entropy) {}
