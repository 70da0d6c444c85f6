package io.gpusched.core.pool;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.TenantId;

/// What several pools of one kind of agent have in common: the model and the objectives. A change
/// of the class changes its pools.
///
/// @param model the model that its pools serve; empty where none is named
/// @param slo the objectives of its pools
/// @param profile everything else that was said about it, for clients
public record AgentClass(String name, TenantId tenant, String model, Slo slo, Labels profile) {
    /// The label by which a pool names its class.
    public static final String LABEL = "neuronetes.io/agent-class";

    public AgentClass {
        Check.that(!name.isEmpty(), "the name is empty");
    }
}
