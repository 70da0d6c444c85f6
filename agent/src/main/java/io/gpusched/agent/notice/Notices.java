package io.gpusched.agent.notice;

import org.jspecify.annotations.Nullable;

/// What is known now about the end of a machine.
public interface Notices {
    /// Machines that nobody takes away.
    Notices NONE = () -> null;

    /// Null while nothing is announced.
    @Nullable Announcement announced();
}
