package io.gpusched.rl.ppo;

import io.gpusched.core.model.Check;

/// The settings of PPO.
///
/// @param stepsPerUpdate how many steps, over all environments, are collected for an update
/// @param environments how many environments are played side by side
/// @param discount what a reward is worth one step earlier
/// @param gaeDecay the λ of generalised advantage estimation
/// @param minibatches into how many minibatches the steps are divided
/// @param epochs how often all steps are used
/// @param clip how far the probability of an action may move before it no longer counts
/// @param entropyBonus the weight of the entropy
/// @param valueWeight the weight of the value loss
/// @param maxNorm gradients are shortened to this norm, over both networks together
/// @param rate the first learning rate
/// @param rateEnd what remains of the rate at the end of an exponential schedule, as a factor
/// @param entropyJump entropy that has changed by more than this counts no further
/// @param targetKl an update stops when the new policy is further than this from the old one
/// @param trainingSeeds where the seeds of training episodes begin
/// @param evaluationSeeds where they end and the seeds of evaluation begin
/// @param imitationUpdates how many updates imitate a known rule before PPO begins
/// @param imitationRate the learning rate of those
public record PpoSettings(
        int stepsPerUpdate,
        int environments,
        double discount,
        double gaeDecay,
        int minibatches,
        int epochs,
        double clip,
        double entropyBonus,
        double valueWeight,
        double maxNorm,
        boolean normaliseAdvantages,
        double rate,
        RateSchedule schedule,
        double rateEnd,
        double entropyJump,
        double targetKl,
        long trainingSeeds,
        long evaluationSeeds,
        int imitationUpdates,
        double imitationRate) {
    public PpoSettings {
        Check.that(
                environments >= 1 && stepsPerUpdate % environments == 0,
                "every environment takes the same number of steps, found %s for %s",
                stepsPerUpdate,
                environments);
        Check.that(
                minibatches >= 1 && stepsPerUpdate % minibatches == 0,
                "minibatches have the same size, found %s of %s steps",
                minibatches,
                stepsPerUpdate);
        Check.that(epochs >= 1, "steps are used at least once, found %s epochs", epochs);
        Check.that(
                trainingSeeds >= 0 && trainingSeeds < evaluationSeeds,
                "training seeds come before evaluation seeds, found %s and %s",
                trainingSeeds,
                evaluationSeeds);
    }

    int stepsPerEnvironment() {
        return stepsPerUpdate / environments;
    }

    /// How many updates it takes to make this many steps.
    public int updates(long totalSteps) {
        return Math.toIntExact(Math.ceilDiv(totalSteps, stepsPerUpdate));
    }

    double rateAt(double progress) {
        return schedule.at(rate, rateEnd, progress);
    }

    /// The seed of a training episode. Runs with different seeds see different episodes, and none
    /// sees an episode of the evaluation.
    long episodeSeed(long seed, long episode) {
        long span = evaluationSeeds - trainingSeeds;
        return trainingSeeds + Math.floorMod((seed - 1) * (span / 20) + episode, span);
    }
}
