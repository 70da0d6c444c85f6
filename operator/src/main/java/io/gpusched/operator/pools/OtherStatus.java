package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Collection;

/// The status of an AgentClass and of a ToolBinding.
final class OtherStatus {
    private OtherStatus() {}

    /// @param pools the pools of the class, as NAMESPACE/NAME
    /// @param instances the replicas of these pools
    static ObjectNode ofClass(StatusContext of, Collection<String> pools, int instances) {
        ObjectNode out = of.status();
        out.put("phase", phase(of, "Ready"));
        var names = out.putArray("activePools");
        pools.stream().sorted().forEach(names::add);
        out.put("activePoolCount", pools.size()).put("totalInstances", instances);
        out.set("conditions", conditions(of).build());
        return out;
    }

    static ObjectNode ofBinding(StatusContext of, String serverName) {
        ObjectNode out = of.status();
        out.put("phase", of.missing().isEmpty() ? phase(of, "Active") : "Pending");
        out.put("binding", serverName);
        out.put(
                "lastError",
                of.outcome() instanceof PutResult.Refused(var complaint) ? complaint.text() : "");
        out.set("conditions", conditions(of).build());
        return out;
    }

    static String phase(StatusContext of, String accepted) {
        return of.isRefused() ? "Failed" : of.isAccepted() ? accepted : "Pending";
    }

    /// The conditions of what is there as soon as the scheduler has taken it.
    static Conditions conditions(StatusContext of) {
        if (!of.isAccepted()) {
            return of.unaccepted();
        }
        Conditions out = of.conditions();
        boolean whole = of.missing().isEmpty();
        out.add(
                "Ready",
                whole,
                whole ? "Accepted" : "ReferenceMissing",
                whole ? "the scheduler has taken it" : String.join("; ", of.missing()));
        out.add("Reconciling", false, "Settled", "");
        if (!of.missed(out)) {
            out.add("Degraded", false, "AsExpected", "");
        }
        of.warn(out);
        return out;
    }
}
