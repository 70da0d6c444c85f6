package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A label selector and a field selector together.
final class Selector {
    private static final Pattern SET =
            Pattern.compile("\\s*(\\S+)\\s+(in|notin)\\s*\\(([^)]*)\\)\\s*");
    private static final Pattern EQUAL =
            Pattern.compile("\\s*([^!=\\s]+)\\s*(==|!=|=)\\s*(\\S*)\\s*");
    private static final Set<String> EVERYWHERE = Set.of("metadata.name", "metadata.namespace");
    private static final Map<String, Set<String>> FIELDS =
            Map.of(
                    "pods",
                    Set.of(
                            "spec.nodeName",
                            "spec.schedulerName",
                            "spec.restartPolicy",
                            "spec.serviceAccountName",
                            "status.phase",
                            "status.podIP",
                            "status.nominatedNodeName"),
                    "nodes",
                    Set.of("spec.unschedulable"),
                    "events",
                    Set.of(
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "reason",
                            "reportingComponent",
                            "source",
                            "type"),
                    "namespaces",
                    Set.of("status.phase"),
                    "secrets",
                    Set.of("type"),
                    "jobs",
                    Set.of("status.successful"));

    private final List<Predicate<JsonNode>> terms = new ArrayList<>();

    static Selector all() {
        return new Selector();
    }

    static Selector of(String plural, String labels, String fields) {
        var selector = new Selector();
        for (String term : labels.split(",(?![^(]*\\))")) {
            if (!term.isBlank()) {
                selector.terms.add(label(term));
            }
        }
        for (String term : fields.split(",")) {
            if (!term.isBlank()) {
                selector.terms.add(field(plural, term));
            }
        }
        return selector;
    }

    /// A selector as objects have it: `matchLabels` and `matchExpressions`. An empty one matches
    /// everything.
    static Selector of(JsonNode selector) {
        var result = new Selector();
        selector.path("matchLabels")
                .properties()
                .forEach(
                        each ->
                                result.terms.add(
                                        object ->
                                                text(object, each.getKey())
                                                        .equals(each.getValue().asText())));
        for (JsonNode each : selector.path("matchExpressions")) {
            var values = new ArrayList<String>();
            each.path("values").forEach(value -> values.add(value.asText()));
            String key = each.path("key").asText();
            result.terms.add(
                    switch (each.path("operator").asText()) {
                        case "In" ->
                                object -> has(object, key) && values.contains(text(object, key));
                        case "NotIn" ->
                                object -> !has(object, key) || !values.contains(text(object, key));
                        case "Exists" -> object -> has(object, key);
                        default -> object -> !has(object, key);
                    });
        }
        return result;
    }

    boolean matches(JsonNode object) {
        for (Predicate<JsonNode> term : terms) {
            if (!term.test(object)) {
                return false;
            }
        }
        return true;
    }

    private static Predicate<JsonNode> label(String term) {
        Matcher set = SET.matcher(term);
        if (set.matches()) {
            String key = set.group(1);
            Set<String> values = Set.copyOf(List.of(set.group(3).replace(" ", "").split(",")));
            return set.group(2).equals("in")
                    ? object -> has(object, key) && values.contains(text(object, key))
                    : object -> !has(object, key) || !values.contains(text(object, key));
        }
        Matcher equal = EQUAL.matcher(term);
        if (equal.matches()) {
            String key = equal.group(1);
            String value = equal.group(3);
            return equal.group(2).equals("!=")
                    ? object -> !text(object, key).equals(value) || !has(object, key)
                    : object -> has(object, key) && text(object, key).equals(value);
        }
        String key = term.strip();
        return key.startsWith("!")
                ? object -> !has(object, key.substring(1).strip())
                : object -> has(object, key);
    }

    private static boolean has(JsonNode object, String label) {
        return object.path("metadata").path("labels").has(label);
    }

    private static String text(JsonNode object, String label) {
        return object.path("metadata").path("labels").path(label).asText("");
    }

    private static Predicate<JsonNode> field(String plural, String term) {
        Matcher equal = EQUAL.matcher(term);
        if (!equal.matches()) {
            throw Refused.badRequest("invalid field selector: " + term);
        }
        String path = equal.group(1);
        if (!EVERYWHERE.contains(path) && !FIELDS.getOrDefault(plural, Set.of()).contains(path)) {
            throw Refused.badRequest("field label not supported: " + path);
        }
        String pointer = "/" + path.replace('.', '/');
        String standard = path.equals("spec.unschedulable") ? "false" : "";
        String value = equal.group(3);
        boolean isEqual = !equal.group(2).equals("!=");
        return object -> object.at(pointer).asText(standard).equals(value) == isEqual;
    }
}
