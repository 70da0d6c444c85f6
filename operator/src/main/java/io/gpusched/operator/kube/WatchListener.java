package io.gpusched.operator.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Receives the changes of a watch, in order.
@FunctionalInterface
public interface WatchListener {
    /// @param type `ADDED`, `MODIFIED`, `DELETED` or `BOOKMARK`
    /// @return false to end the watch
    boolean changed(String type, ObjectNode object);

    /// The server has accepted the watch; changes may follow much later.
    default void opened() {}
}
