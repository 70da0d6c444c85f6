package io.gpusched.operator.kube;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/// One process's view of the Lease. The clocks of other processes are not believed: a lease has
/// expired when this process has seen no change of it for its whole duration.
final class LeaseClaim {
    /// Six digits: servers refuse any other number.
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubeApi api;
    private final LeaseSettings settings;
    private final InstantSource clock;
    private String seen = "";
    private Instant seenAt = Instant.MIN;

    LeaseClaim(KubeApi api, LeaseSettings settings, InstantSource clock) {
        this.api = api;
        this.settings = settings;
        this.clock = clock;
    }

    /// Tries once to take or to keep the lease.
    ///
    /// @return whether it is ours now
    /// @throws KubeException if that could not be found out
    boolean attempt() {
        ObjectNode lease;
        try {
            lease = api.get(ResourceType.LEASES, settings.namespace(), settings.name());
        } catch (KubeException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            return created();
        }
        observe(lease);
        String holder = holder(lease);
        boolean isOurs = holder.equals(settings.identity());
        return (isOurs || holder.isEmpty() || hasExpired(lease)) && replaced(lease, isOurs);
    }

    private void observe(ObjectNode lease) {
        String now = lease.path("spec").toString();
        if (!now.equals(seen)) {
            seen = now;
            seenAt = clock.instant();
        }
    }

    private boolean hasExpired(ObjectNode lease) {
        long seconds =
                lease.path("spec")
                        .path("leaseDurationSeconds")
                        .asLong(settings.lease().toSeconds());
        return !clock.instant().isBefore(seenAt.plus(Duration.ofSeconds(seconds)));
    }

    private static String holder(ObjectNode lease) {
        return lease.path("spec").path("holderIdentity").asText("");
    }

    private boolean created() {
        ObjectNode lease = JsonNodeFactory.instance.objectNode();
        lease.put("apiVersion", ResourceType.LEASES.apiVersion());
        lease.put("kind", ResourceType.LEASES.kind());
        lease.putObject("metadata")
                .put("name", settings.name())
                .put("namespace", settings.namespace());
        ObjectNode spec = lease.putObject("spec");
        spec.put("acquireTime", now()).put("leaseTransitions", 0);
        hold(spec, settings.identity(), settings.lease().toSeconds());
        return written(() -> api.create(ResourceType.LEASES, settings.namespace(), lease), false);
    }

    private boolean replaced(ObjectNode lease, boolean isOurs) {
        ObjectNode next = lease.deepCopy();
        ObjectNode spec = next.withObjectProperty("spec");
        if (!isOurs) {
            spec.put("acquireTime", now());
            spec.put("leaseTransitions", spec.path("leaseTransitions").asInt(0) + 1);
        }
        hold(spec, settings.identity(), settings.lease().toSeconds());
        return written(
                () -> api.replace(ResourceType.LEASES, settings.namespace(), settings.name(), next),
                isOurs);
    }

    private void hold(ObjectNode spec, String identity, long seconds) {
        spec.put("holderIdentity", identity)
                .put("leaseDurationSeconds", seconds)
                .put("renewTime", now());
    }

    private String now() {
        return MICROS.format(clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    private interface Write {
        ObjectNode run();
    }

    /// Somebody else was faster: not ours, and nothing to complain of. But a lease that was ours
    /// may have been changed without a new holder, so it is tried again.
    private boolean written(Write write, boolean isOurs) {
        try {
            observe(write.run());
            return true;
        } catch (KubeException e) {
            if (e.isConflict() && !isOurs) {
                return false;
            }
            throw e;
        }
    }

    /// Gives the lease up, so that another process can take it at once.
    void release() {
        ObjectNode lease = api.get(ResourceType.LEASES, settings.namespace(), settings.name());
        if (holder(lease).equals(settings.identity())) {
            hold(lease.withObjectProperty("spec"), "", 1);
            api.replace(ResourceType.LEASES, settings.namespace(), settings.name(), lease);
        }
    }
}
