package io.gpusched.server.live;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// Which events a listener receives: those that it may see, and of these the ones it asked for. An
/// empty set asks for all.
///
/// @param reader the tenant for which the listener acts; null for an administrator
public record Selection(
        @Nullable TenantId reader,
        Set<TenantId> tenants,
        Set<JobId> jobs,
        Set<NodeId> nodes,
        Set<EventKind> kinds) {
    public Selection {
        tenants = Set.copyOf(tenants);
        jobs = Set.copyOf(jobs);
        nodes = Set.copyOf(nodes);
        kinds = Set.copyOf(kinds);
    }

    /// Everything that the reader may see.
    public static Selection all(@Nullable TenantId reader) {
        return new Selection(reader, Set.of(), Set.of(), Set.of(), Set.of());
    }

    /// All events of one kind that the reader may see.
    public static Selection only(EventKind kind, @Nullable TenantId reader) {
        return new Selection(reader, Set.of(), Set.of(), Set.of(), Set.of(kind));
    }

    /// Whether the listener may read jobs of all tenants in messages.
    public boolean seesAll() {
        return reader == null;
    }

    public boolean matches(LiveEvent event) {
        LiveEvent.About about = event.about();
        return maySee(about)
                && (kinds.isEmpty() || kinds.contains(event.kind()))
                && (tenants.isEmpty() || contains(tenants, about.tenant()))
                && (jobs.isEmpty() || contains(jobs, about.job()))
                && (nodes.isEmpty() || about.nodes().stream().anyMatch(nodes::contains));
    }

    private boolean maySee(LiveEvent.About about) {
        return reader == null || about.isShared() || reader.equals(about.tenant());
    }

    private static <T> boolean contains(Set<T> wanted, @Nullable T found) {
        return found != null && wanted.contains(found);
    }
}
