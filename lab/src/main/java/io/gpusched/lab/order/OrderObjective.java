package io.gpusched.lab.order;

import io.gpusched.core.policy.learned.ScoreModel;

/// Judges learned orders by the results of running jobs in their order. All models of a generation
/// are judged by the same jobs, so that chance does not decide between them. Threads may call it at
/// the same time.
public interface OrderObjective {
    /// The version of the encoder of the models that it judges.
    String encoder();

    /// The cost on the jobs of a generation; smaller is better.
    double cost(ScoreModel model, int generation);

    /// The cost on the sequences or slices that choose the best generation. No generation is
    /// trained on them.
    double validation(ScoreModel model);
}
