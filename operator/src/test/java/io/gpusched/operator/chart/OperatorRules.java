package io.gpusched.operator.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.FakeApiServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// What the chart lets the operator do, as [ChartGoldenTest] keeps it. No helm is needed to read
/// it.
///
///     OperatorRules.chart().grant(server, "operator");
///     var api = new HttpKubeApi(server.config("operator"));
public final class OperatorRules {
    /// The namespace of the release, and the name of the operator's Lease there.
    public static final String NAMESPACE = "gpu";

    public static final String LEASE = "gpu-scheduler-operator";

    private static final String ROLE = "try-gpu-scheduler-operator";

    /// @param namespace where the role counts; empty for a ClusterRole
    private record GrantedRole(String namespace, JsonNode role) {}

    private final List<GrantedRole> roles;

    private OperatorRules(List<GrantedRole> roles) {
        this.roles = roles;
    }

    public static OperatorRules chart() {
        try {
            List<JsonNode> objects =
                    Chart.read(
                            Files.readString(
                                    Chart.root().resolve("deploy/helm/tests/usual.golden")));
            return new OperatorRules(
                    List.of(
                            new GrantedRole(
                                    "", Chart.one(objects, "ClusterRole", ROLE + "-" + NAMESPACE)),
                            new GrantedRole(NAMESPACE, Chart.one(objects, "Role", ROLE))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Gives these rules to the owner of a token.
    public void grant(FakeApiServer server, String token) {
        roles.forEach(each -> server.access().grant(token, each.namespace, each.role));
    }

    /// Every verb on every resource, as `create pods/binding`.
    public List<String> permissions() {
        var all = new ArrayList<String>();
        for (GrantedRole each : roles) {
            for (JsonNode rule : each.role.path("rules")) {
                for (JsonNode group : rule.path("apiGroups")) {
                    String suffix = group.asText().isEmpty() ? "" : "." + group.asText();
                    for (JsonNode resource : rule.path("resources")) {
                        for (JsonNode verb : rule.path("verbs")) {
                            all.add(verb.asText() + " " + resource.asText() + suffix);
                        }
                    }
                }
            }
        }
        return List.copyOf(all);
    }

    /// The same rules without one of [#permissions()].
    public OperatorRules without(String permission) {
        return new OperatorRules(
                roles.stream()
                        .map(
                                each ->
                                        new GrantedRole(
                                                each.namespace, without(each.role, permission)))
                        .toList());
    }

    /// Splits the rules into one for each verb and resource, and leaves one out.
    private static JsonNode without(JsonNode role, String permission) {
        ObjectNode less = JsonNodeFactory.instance.objectNode();
        ArrayNode rules = less.putArray("rules");
        for (JsonNode rule : role.path("rules")) {
            for (JsonNode group : rule.path("apiGroups")) {
                String suffix = group.asText().isEmpty() ? "" : "." + group.asText();
                for (JsonNode resource : rule.path("resources")) {
                    for (JsonNode verb : rule.path("verbs")) {
                        if (!permission.equals(verb.asText() + " " + resource.asText() + suffix)) {
                            ObjectNode one = rules.addObject();
                            one.putArray("apiGroups").add(group);
                            one.putArray("resources").add(resource);
                            one.putArray("verbs").add(verb);
                            if (rule.has("resourceNames")) {
                                one.set("resourceNames", rule.get("resourceNames"));
                            }
                        }
                    }
                }
            }
        }
        return less;
    }
}
