package io.gpusched.server.grpc;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.server.policy.PolicyControl;
import io.gpusched.server.policy.PolicyInForce;
import io.gpusched.wire.proto.scheduler.Policy;

/// Writes the policy in force as a message.
final class PolicyMessages {
    private PolicyMessages() {}

    static Policy of(PolicyControl policyControl) {
        PolicyInForce.Status status = policyControl.status();
        var policy =
                Policy.newBuilder()
                        .setName(status.policy())
                        .setConfigured(status.configured())
                        .setFallback(policyControl.fallbackPolicy())
                        .setShadow(policyControl.shadow().policy());
        Event.PolicyChanged last = status.last();
        if (last == null) {
            return policy.setBy("configuration")
                    .setCause(PolicyInForce.name(PolicyCause.CONFIGURATION))
                    .build();
        }
        return policy.setSince(JobMessages.timestamp(last.at()))
                .setBy(last.by())
                .setReason(last.reason())
                .setCause(PolicyInForce.name(last.cause()))
                .build();
    }
}
