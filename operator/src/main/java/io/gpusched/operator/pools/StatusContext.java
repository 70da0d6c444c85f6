package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;

/// What all kinds of status are made of.
///
/// @param object the custom resource
/// @param observed the generation that the outcome is about; 0 before the first one
/// @param missing references that lead nowhere
record StatusContext(
        ObjectKey key,
        ObjectNode object,
        PutResult outcome,
        long observed,
        List<String> missing,
        Instant now) {
    private static final String REFUSED = "Refused";
    private static final String UNREACHABLE = "SchedulerUnreachable";

    JsonNode before() {
        return object.path("status");
    }

    /// A status with the generation, to be completed.
    ObjectNode status() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        if (observed > 0) {
            status.put("observedGeneration", observed);
        }
        return status;
    }

    Conditions conditions() {
        return new Conditions(before().path("conditions"), observed, now);
    }

    boolean isRefused() {
        return outcome instanceof PutResult.Refused;
    }

    /// Whether the scheduler has the object as it is now.
    boolean isAccepted() {
        return outcome instanceof PutResult.Accepted
                && observed == object.at("/metadata/generation").asLong();
    }

    /// The conditions of an object that the scheduler does not have as it is now.
    ///
    Conditions unaccepted() {
        Conditions out = conditions();
        switch (outcome) {
            case PutResult.Refused(var complaint) -> {
                out.add("Ready", false, REFUSED, complaint.text());
                out.add("Reconciling", false, REFUSED, "it is tried again when it is changed");
                out.add("Stalled", true, REFUSED, complaint.text());
                out.add("Degraded", true, REFUSED, complaint.text());
            }
            case PutResult.Postponed(var why) -> {
                out.add("Ready", "Unknown", UNREACHABLE, why);
                out.add("Reconciling", true, UNREACHABLE, "the operator tries again by itself");
                out.add("Degraded", true, UNREACHABLE, why);
            }
            case PutResult.Untried _, PutResult.Accepted _ -> {
                out.add("Ready", "Unknown", "Applying", "it is being put to the scheduler");
                out.add("Reconciling", true, "Applying", "it is being put to the scheduler");
                out.add("Degraded", false, "AsExpected", "");
            }
        }
        return out;
    }

    /// The condition for what has no effect; none where everything has one.
    void warn(Conditions out) {
        if (outcome instanceof PutResult.Accepted(var warnings) && !warnings.isEmpty()) {
            out.add("Warning", true, "FieldsIgnored", String.join("; ", warnings));
        }
    }

    /// The condition for references that lead nowhere.
    ///
    /// @return whether there are any
    boolean missed(Conditions out) {
        if (missing.isEmpty()) {
            return false;
        }
        out.add("Degraded", true, "ReferenceMissing", String.join("; ", missing));
        return true;
    }
}
