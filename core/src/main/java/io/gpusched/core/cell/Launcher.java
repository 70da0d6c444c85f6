package io.gpusched.core.cell;

import io.gpusched.core.model.Assignment;

/// Carries desired state to the nodes. Losing, repeating or skipping assignments does no harm as
/// long as the newest one for each node arrives some time.
public interface Launcher {
    void assign(Assignment assignment);
}
