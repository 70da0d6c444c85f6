package io.gpusched.server.live;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.PoolId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/// One event as listeners receive it.
///
/// The message is put together, and the event is encoded, when the first listener needs it; all
/// others share the bytes. There are two forms: one for administrators, and one for tenants, which
/// names no job of another tenant.
public final class LiveEvent {
    /// A guess of what the fields and the encoded form need, without texts.
    private static final int FIXED_BYTES = 600;

    private final EventId id;
    private final Instant at;
    private final EventKind kind;
    private final About about;
    private final Wording wording;
    private volatile @Nullable Encoded forAdmins;
    private volatile @Nullable Encoded forTenants;

    /// What an event is about.
    ///
    /// @param tenant whose event it is; null if it belongs to no tenant
    /// @param nodes every node that it names
    /// @param isShared whether every tenant may see it
    /// @param pool the pool of an event of a pool
    public record About(
            @Nullable JobId job,
            @Nullable TenantId tenant,
            List<NodeId> nodes,
            boolean isShared,
            @Nullable PoolId pool) {
        public About {
            nodes = List.copyOf(nodes);
        }

        /// An event that is about no pool.
        public About(
                @Nullable JobId job,
                @Nullable TenantId tenant,
                List<NodeId> nodes,
                boolean isShared) {
            this(job, tenant, nodes, isShared, null);
        }

        /// An event of a pool, or of one of its replicas.
        About(@Nullable PoolId pool, @Nullable JobId replica, @Nullable TenantId tenant) {
            this(replica, tenant, List.of(), false, pool);
        }

        static About job(JobId job, @Nullable TenantId tenant, List<NodeId> nodes) {
            return new About(job, tenant, nodes, false);
        }

        static About node(NodeId node) {
            return new About(null, null, List.of(node), true);
        }

        static About tenant(TenantId tenant) {
            return new About(null, tenant, List.of(), false);
        }

        static About everyone() {
            return new About(null, null, List.of(), true);
        }

        static About adminsOnly() {
            return new About(null, null, List.of(), false);
        }
    }

    /// The message in both forms.
    ///
    /// @param forTenants the same supplier where nothing has to be hidden
    /// @param length about how long it is
    record Wording(Supplier<String> forAdmins, Supplier<String> forTenants, int length) {
        static Wording of(String text) {
            Supplier<String> same = () -> text;
            return new Wording(same, same, text.length());
        }

        static Wording of(String text, String forTenants) {
            return forTenants.equals(text)
                    ? of(text)
                    : new Wording(() -> text, () -> forTenants, 2 * text.length());
        }
    }

    /// An event as bytes: a whole SSE frame, of which one part is the JSON.
    @SuppressWarnings("ArrayRecordComponent") // Shared by all listeners, never compared.
    public record Encoded(byte[] frame, int jsonFrom, int jsonLength) {}

    /// Turns an event into bytes.
    public interface Encoder {
        Encoded encode(LiveEvent event, String message);
    }

    LiveEvent(EventId id, Instant at, EventKind kind, About about, Wording wording) {
        this.id = id;
        this.at = at;
        this.kind = kind;
        this.about = about;
        this.wording = wording;
    }

    public EventId id() {
        return id;
    }

    public Instant at() {
        return at;
    }

    public EventKind kind() {
        return kind;
    }

    public About about() {
        return about;
    }

    /// The node, if the event names exactly one.
    public @Nullable NodeId node() {
        return about.nodes.size() == 1 ? about.nodes.getFirst() : null;
    }

    /// The message.
    ///
    /// @param named whether jobs of all tenants may be named
    public String message(boolean named) {
        return (named ? wording.forAdmins : wording.forTenants).get();
    }

    /// The encoded event. Two listeners that need it first at the same time may both encode it.
    public Encoded encoded(boolean named, Encoder encoder) {
        boolean same = wording.forAdmins.equals(wording.forTenants);
        Encoded known = named || same ? forAdmins : forTenants;
        if (known != null) {
            return known;
        }
        Encoded made = encoder.encode(this, message(named));
        if (named || same) {
            forAdmins = made;
        } else {
            forTenants = made;
        }
        return made;
    }

    /// About how much memory it takes, encoded.
    int bytes() {
        return FIXED_BYTES + 3 * wording.length;
    }
}
