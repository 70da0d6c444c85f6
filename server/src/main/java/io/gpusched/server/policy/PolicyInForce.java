package io.gpusched.server.policy;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.core.state.ClusterState;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.metrics.Meters;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Which policy is in force, since when, by whom and why. Follows the durable batches, and makes
/// every change visible: in the log, in metrics, and as an event that the API lists.
public final class PolicyInForce implements Follower.BatchListener {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyInForce.class);

    /// @param policy the name of the policy in force
    /// @param configured the policy that the configuration names
    /// @param changes the last changes, oldest first; the last one led to the policy in force
    public record Status(String policy, String configured, List<Event.PolicyChanged> changes) {
        public Status {
            changes = List.copyOf(changes);
        }

        static Status of(ClusterState state, String configured) {
            String chosen = state.policy();
            return new Status(
                    chosen.isEmpty() ? configured : chosen, configured, state.policyChanges());
        }

        /// The last change; null if the policy was never changed.
        public Event.@Nullable PolicyChanged last() {
            return changes.isEmpty() ? null : changes.getLast();
        }

        /// The policy before the one in force; empty if there was no other.
        public String previous() {
            for (Event.PolicyChanged change : changes.reversed()) {
                if (!change.policy().equals(policy)) {
                    return change.policy();
                }
            }
            return changes.isEmpty() || changes.getFirst().configured().equals(policy)
                    ? ""
                    : changes.getFirst().configured();
        }

        /// The last time at which the guard fell back; null if it never did.
        public @Nullable Instant lastFallback() {
            return changes.reversed().stream()
                    .filter(change -> change.cause() == PolicyCause.FALLBACK)
                    .map(Event.PolicyChanged::at)
                    .findFirst()
                    .orElse(null);
        }
    }

    private final String configured;
    private final Meters meters;
    private volatile Status status;

    /// @param state the cluster before the first batch
    /// @param configured the policy that the configuration names
    public PolicyInForce(ClusterState state, String configured, Meters meters) {
        this.configured = configured;
        this.meters = meters;
        this.status = Status.of(state, configured);
        for (PolicyCause cause : PolicyCause.values()) {
            meters.addPolicyChanges(name(cause), 0);
        }
        meters.gauges(
                "gpu_scheduler_policy_info",
                "The policy in force: 1 for its name.",
                "policy",
                () -> Map.of(status.policy, 1.0));
        Event.PolicyChanged last = status.last();
        // A configuration that was edited since is about to replace the policy.
        if (last != null
                && last.configured().equals(configured)
                && !status.policy.equals(configured)) {
            LOG.info(
                    "policy {} is in force, as set at run time, in place of the configured {}",
                    status.policy,
                    configured);
        }
    }

    /// How a cause is written in answers and metrics.
    public static String name(PolicyCause cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }

    /// Who changed the policy and how: `alice (command)`, or `configuration`.
    public static String author(Event.PolicyChanged change) {
        String cause = name(change.cause());
        return change.by().equals(cause) ? cause : change.by() + " (" + cause + ")";
    }

    public Status now() {
        return status;
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.PolicyChanged change) {
                String before = status.policy;
                status = Status.of(engine.state(), configured);
                meters.addPolicyChanges(name(change.cause()), 1);
                log(change, before);
            }
        }
    }

    private static void log(Event.PolicyChanged change, String before) {
        String why = change.reason().isEmpty() ? "" : ": " + change.reason();
        if (change.cause() == PolicyCause.FALLBACK) {
            LOG.warn("fallback from policy {} to {}{}", before, change.policy(), why);
        } else {
            LOG.info(
                    "policy {} is in force in place of {}, by {}{}",
                    change.policy(),
                    before,
                    author(change),
                    why);
        }
    }
}
