package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.NodeLabels;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Requirements on nodes as the scheduler takes them: alternatives, each a list of requirements on
/// labels that a node must all meet. No alternative at all means any node.
///
/// @param any empty for any node
/// @param impossible whether no node can meet them, as with an empty selector term
record NodeTerms(List<List<ObjectNode>> any, boolean impossible) {
    static final NodeTerms ANY = new NodeTerms(List.of(), false);

    /// The scheduler accepts no more.
    static final int MOST = 32;

    NodeTerms {
        any = any.stream().map(List::copyOf).toList();
    }

    /// Reads `nodeSelectorTerms` of a node selector: one of the terms must hold.
    static NodeTerms of(JsonNode terms) {
        var any = new ArrayList<List<ObjectNode>>();
        for (JsonNode term : terms) {
            var all = new ArrayList<ObjectNode>();
            for (JsonNode each : term.path("matchExpressions")) {
                all.add(requirement(each.path("key").asText(), each));
            }
            for (JsonNode each : term.path("matchFields")) {
                // Kubernetes knows only one field, the name.
                all.add(requirement(NodeLabels.NAME, each));
            }
            if (!all.isEmpty()) { // A term without requirements holds for no node.
                any.add(all);
            }
        }
        return new NodeTerms(any, !terms.isEmpty() && any.isEmpty());
    }

    /// Reads the topologies in which volumes of a storage class can be made.
    static NodeTerms ofTopologies(JsonNode topologies) {
        var any = new ArrayList<List<ObjectNode>>();
        for (JsonNode topology : topologies) {
            var all = new ArrayList<ObjectNode>();
            for (JsonNode each : topology.path("matchLabelExpressions")) {
                all.add(requirement(each.path("key").asText(), each));
            }
            if (!all.isEmpty()) {
                any.add(all);
            }
        }
        return new NodeTerms(any, false);
    }

    /// Both must hold: every alternative of one with every alternative of the other.
    NodeTerms and(NodeTerms other) {
        if (any.isEmpty() || other.any.isEmpty()) {
            return new NodeTerms(any.isEmpty() ? other.any : any, impossible || other.impossible);
        }
        var both = new ArrayList<List<ObjectNode>>();
        for (List<ObjectNode> mine : any) {
            for (List<ObjectNode> theirs : other.any) {
                var all = new LinkedHashSet<>(mine);
                all.addAll(theirs);
                both.add(List.copyOf(all));
            }
        }
        return new NodeTerms(both, impossible || other.impossible);
    }

    /// The labels that they name.
    Set<String> keys() {
        var keys = new LinkedHashSet<String>();
        any.forEach(all -> all.forEach(each -> keys.add(each.path("key").asText())));
        return keys;
    }

    ArrayNode json() {
        ArrayNode alternatives = JsonNodeFactory.instance.arrayNode();
        any.forEach(all -> alternatives.addArray().addAll(all));
        return alternatives;
    }

    private static ObjectNode requirement(String key, JsonNode expression) {
        var requirement = JsonNodeFactory.instance.objectNode();
        // A topology has values only, of which a node must have one.
        requirement.put("key", key).put("op", expression.path("operator").asText("In"));
        ArrayNode values = requirement.putArray("values");
        expression.path("values").forEach(value -> values.add(value.asText()));
        return requirement;
    }
}
