package io.gpusched.server.policy;

import io.gpusched.server.config.PolicyRules;

/// Which policy runs in the shadow. There is one shadow, and it is never the policy in force.
///
/// @param configured the configured shadow policy; empty for none
public record ShadowChoice(String configured, PolicyRules rules) {
    /// The name of the policy; empty for none:
    ///
    /// 1. the configured shadow policy, unless it is in force;
    /// 2. if it is in force because it was promoted, the policy that it replaced;
    /// 3. while another policy than the fallback is in force, the fallback, so that the guard can
    ///    compare the two.
    public String beside(PolicyInForce.Status status) {
        String inForce = status.policy();
        if (!configured.isEmpty() && !configured.equals(inForce)) {
            return configured;
        }
        if (!configured.isEmpty() && !status.previous().isEmpty()) {
            return status.previous();
        }
        String fallback = rules.fallback().policyFor(status.configured());
        boolean watches = rules.fallback().enabled() && rules.fallback().watchesObjective();
        return watches && !inForce.equals(fallback) ? fallback : "";
    }
}
