package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

/// A place to try out who would have to leave. Everything done here is undone afterwards.
public interface VictimTrial {
    /// Whether anything the victim holds is where the job could go at all.
    boolean couldUse(Job victim);

    /// Pretends that the victim's capacity is free.
    void evict(Job victim);

    /// Whether the job may go where the victim was. Where it does not, the victim can stay, and
    /// need not even be restored.
    boolean misses(Job victim);

    /// Takes the pretence back for one victim.
    void restore(Job victim);

    /// Whether the job would fit now.
    boolean fits();

    /// Whether [#fits] only compares numbers, so that it may be asked after every step; it is a
    /// search otherwise.
    boolean isQuick();
}
