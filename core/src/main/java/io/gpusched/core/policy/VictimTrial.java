package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

/// A trial in which a preemptor evicts and restores victims. Everything done here is undone
/// afterwards.
public interface VictimTrial {
    /// Whether the job could use any of the victim's capacity.
    boolean couldUse(Job victim);

    /// Frees the victim's capacity, on trial.
    void evict(Job victim);

    /// Whether the job may need the victim's capacity. If not, the victim can be spared, and need
    /// not even be restored.
    boolean misses(Job victim);

    /// Gives one victim its capacity back.
    void restore(Job victim);

    /// Whether the job would fit now.
    boolean fits();

    /// Whether [#fits] only compares numbers, so that it may be called after every step; otherwise
    /// it is a search.
    boolean isQuick();
}
