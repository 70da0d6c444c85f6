package io.gpusched.server.alert;

import java.util.List;

/// Receives alerts whose state changed.
public interface AlertListener {
    /// An alert has fired, became more severe, or was resolved ([Alert#state] tells which). It is
    /// called on the thread that evaluates, which must not wait.
    void changed(Alert alert);

    /// All alerts after an evaluation, whether they changed or not.
    default void evaluated(List<Alert> alerts) {}
}
