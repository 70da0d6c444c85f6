package io.gpusched.rl.ppo;

import io.gpusched.core.model.Check;

/// All that a training run follows from.
///
/// @param preset the name of the settings
/// @param environment what else the episodes depend on, in words; a run is resumed only with the
///        same
/// @param totalSteps how many steps are made in the environments, rounded up to whole updates
/// @param evaluationInterval the policy is evaluated whenever so many updates are done
/// @param evaluationBlocks into how many blocks an evaluation is divided
/// @param evaluationEpisodes how many episodes a block has
/// @param finalEpisodes how many episodes the last evaluation has, on each of its two sets of seeds
/// @param greedy whether evaluations take the best action instead of drawing one
/// @param reportOffset how far the seeds of the report are from those of the evaluation
public record TrainingPlan(
        String preset,
        PpoSettings settings,
        ModelShape shape,
        String environment,
        long totalSteps,
        long seed,
        int evaluationInterval,
        int evaluationBlocks,
        int evaluationEpisodes,
        int finalEpisodes,
        boolean greedy,
        long reportOffset) {
    public TrainingPlan {
        Check.that(totalSteps >= 1, "training takes at least one step, found %s", totalSteps);
        Check.that(
                evaluationInterval >= 1,
                "there is at least one update between evaluations, found %s",
                evaluationInterval);
        Check.that(
                evaluationBlocks >= 1 && evaluationEpisodes >= 1 && finalEpisodes >= 1,
                "an evaluation has at least one episode, found %s blocks of %s, and %s at the end",
                evaluationBlocks,
                evaluationEpisodes,
                finalEpisodes);
    }

    /// How many updates the run has.
    public int updates() {
        return settings.updates(totalSteps);
    }

    double rateAt(int update) {
        double done = (double) (update - 1) * settings.stepsPerUpdate();
        return settings.rateAt(done / totalSteps);
    }

    /// The seed of the first episode of an evaluation.
    public long validationSeed() {
        return settings.evaluationSeeds() + seed;
    }

    PolicyEvaluation validation() {
        return new PolicyEvaluation(validationSeed(), evaluationBlocks, evaluationEpisodes, greedy);
    }

    PolicyEvaluation last(long firstSeed) {
        return new PolicyEvaluation(firstSeed, 1, finalEpisodes, greedy);
    }
}
