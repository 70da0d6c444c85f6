package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.List;

/// Answers the command that changes the policy.
///
/// @param inForce the policy in force
/// @param configured the policy that the engine was made with
record PolicyCommandHandler(
        ClusterState state, PolicySettings settings, Policy inForce, String configured) {
    /// A command that changes nothing needs no event. The configuration counts as changed if it
    /// names another policy than at the last change, even if that policy is in force by now:
    /// otherwise a later edit could not be told from none.
    Answer to(Command.SetPolicy c, Instant now) {
        if (Policies.named(c.policy(), settings) == null) {
            return Answer.rejected(
                    Problem.Code.UNKNOWN_POLICY,
                    "policy",
                    "there is no policy " + c.policy(),
                    remedy(c.policy()));
        }
        if (c.reason().length() > Command.SetPolicy.LONGEST_REASON) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    "reason",
                    "reason is "
                            + c.reason().length()
                            + " characters long, at most "
                            + Command.SetPolicy.LONGEST_REASON
                            + " fit",
                    "shorten it");
        }
        return c.policy().equals(inForce.name()) && isConfigurationKnown()
                ? Answer.accepted()
                : Answer.accepted(
                        new Event.PolicyChanged(
                                now, c.policy(), c.by(), c.reason(), c.cause(), configured));
    }

    private String remedy(String policy) {
        String remedy = Policies.remedy(policy, settings);
        if (!remedy.isEmpty()) {
            return remedy;
        }
        List<String> names = Policies.names(settings);
        String nearest = SpellingSuggestion.to(policy, names);
        return (nearest == null ? "" : "the nearest is " + nearest + "; ")
                + "choose one of "
                + String.join(", ", names);
    }

    private boolean isConfigurationKnown() {
        List<Event.PolicyChanged> changes = state.policyChanges();
        return changes.isEmpty() || changes.getLast().configured().equals(configured);
    }
}
