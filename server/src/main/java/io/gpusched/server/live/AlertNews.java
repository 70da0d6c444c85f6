package io.gpusched.server.live;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// An alert that fires or is resolved, as listeners of live events receive it. It is not in the
/// journal: a listener that reconnects after a restart of the server does not receive it again and
/// reads the list of alerts instead.
///
/// @param tenant the tenant whose alert it is; null if it concerns the cluster, then only the
///        administrator sees it
public record AlertNews(
        Instant at,
        boolean isResolved,
        @Nullable JobId job,
        @Nullable TenantId tenant,
        @Nullable NodeId node,
        String message) {}
