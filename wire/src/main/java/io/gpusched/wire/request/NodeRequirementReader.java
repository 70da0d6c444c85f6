package io.gpusched.wire.request;

import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.NodeRequirement;
import io.gpusched.core.model.NodeRequirement.Operator;
import io.gpusched.core.model.SpellingSuggestion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Reads `node_requirements`: a list of alternatives, each a list of requirements that a node must
/// all meet.
///
///     [[{"key": "zone", "op": "In", "values": ["a", "b"]}, {"key": "disk", "op": "Exists"}],
///      [{"key": "cards", "op": "Gt", "values": ["4"]}]]
public final class NodeRequirementReader {
    private static final String FIELD = "node_requirements";
    private static final List<String> WORDS =
            Stream.of(Operator.values()).map(Operator::word).toList();

    private final RequestFields requestFields;
    private final List<String> warnings;

    NodeRequirementReader(RequestFields requestFields, List<String> warnings) {
        this.requestFields = requestFields;
        this.warnings = warnings;
    }

    /// The alternatives; meaningless if there are problems.
    NodeAlternatives read() {
        List<List<RequestFields>> any =
                requestFields.alternatives(
                        FIELD, RequestBounds.ALTERNATIVES, RequestBounds.REQUIREMENTS);
        if (any.isEmpty()) {
            return NodeAlternatives.NONE;
        }
        var alternatives = new ArrayList<List<NodeRequirement>>();
        for (List<RequestFields> all : any) {
            alternatives.add(all.stream().map(this::requirement).toList());
        }
        return new NodeAlternatives(alternatives);
    }

    private NodeRequirement requirement(RequestFields each) {
        String key = each.text("key", "", RequestBounds.KEY);
        if (key.isEmpty()) {
            each.problem("key", "key is missing", "name the label");
        }
        Operator operator = operator(each);
        List<String> values =
                each.texts("values", RequestBounds.REQUIRED_VALUES, RequestBounds.VALUE);
        warnings.addAll(each.unknown());
        if (operator == null) {
            return new NodeRequirement(key, Operator.EXISTS, List.of());
        }
        check(each, operator, values);
        return new NodeRequirement(key, operator, values);
    }

    private static @Nullable Operator operator(RequestFields each) {
        String word = each.text("op", "", RequestBounds.NAME);
        for (Operator operator : Operator.values()) {
            if (operator.word().toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT))) {
                return operator;
            }
        }
        String nearest = SpellingSuggestion.to(word, WORDS);
        each.problem(
                "op",
                "op must be " + String.join(", ", WORDS) + ", found \"" + word + "\"",
                nearest == null ? "write one of these" : "did you mean " + nearest + "?");
        return null;
    }

    private static void check(RequestFields each, Operator operator, List<String> values) {
        String word = operator.word();
        switch (operator) {
            case IN, NOT_IN -> {
                if (values.isEmpty()) {
                    each.problem("values", word + " needs values", "list at least one value");
                }
            }
            case EXISTS, DOES_NOT_EXIST -> {
                if (!values.isEmpty()) {
                    each.problem("values", word + " has no values", "leave values out");
                }
            }
            case GREATER, LESS -> {
                if (values.size() != 1 || NodeRequirement.number(values.getFirst()).isEmpty()) {
                    each.problem(
                            "values",
                            word + " needs one whole number",
                            "write it as a text, such as [\"4\"]");
                }
            }
        }
    }

    /// The alternatives in the form that [#read] reads.
    public static JsonTree written(NodeAlternatives alternatives) {
        var any = new ArrayList<JsonTree>();
        for (List<NodeRequirement> all : alternatives.any()) {
            any.add(new JsonTree.Items(all.stream().map(NodeRequirementReader::written).toList()));
        }
        return new JsonTree.Items(any);
    }

    private static JsonTree written(NodeRequirement one) {
        var out = new LinkedHashMap<String, JsonTree>();
        out.put("key", new JsonTree.Text(one.key()));
        out.put("op", new JsonTree.Text(one.operator().word()));
        if (!one.values().isEmpty()) {
            List<JsonTree> values = new ArrayList<>();
            one.values().forEach(value -> values.add(new JsonTree.Text(value)));
            out.put("values", new JsonTree.Items(values));
        }
        return new JsonTree.Mapping(out);
    }
}
