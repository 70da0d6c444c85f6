package io.gpusched.core.policy;

/// A trained model that orders the queue. It is an immutable value, shared by all engines.
public interface RankingModel {
    /// What identifies the model: the version of its encoder and the digest of its weights. It
    /// contains letters, digits, dots and dashes only.
    String name();

    /// A new ranker that goes by this model.
    HeadRanker ranker();
}
