package io.gpusched.server.view;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.ReplicaStatus;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A replica of a pool in a view.
///
/// @param node the node of its first task; null while it waits
/// @param readySince since when it takes requests; null when it does not
/// @param load what was reported of it last; null where there is no fresh report
/// @param spot whether it runs on spot capacity
/// @param warm whether it is ready beyond what the load needs
/// @param cached whether its node holds its model
public record ReplicaRow(
        int number,
        JobId job,
        ReplicaStatus.State state,
        @Nullable NodeId node,
        @Nullable Instant readySince,
        @Nullable ReplicaLoad load,
        boolean spot,
        boolean warm,
        boolean cached) {}
