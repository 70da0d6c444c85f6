package io.gpusched.operator.pods;

/// Tells users about their pods. Calls return at once; what cannot be told soon is dropped.
public interface PodNotes {
    /// The pod waits. An equal text as before tells nothing new.
    ///
    /// @param why empty if it is not known yet: an earlier text that was not told is no longer true
    void waiting(PodKey pod, String why);

    /// Forgets the pod: it is bound or gone.
    void forget(String uid);
}
