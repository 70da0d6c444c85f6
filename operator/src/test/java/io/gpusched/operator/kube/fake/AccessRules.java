package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Who may do what: as RBAC, everything that no rule allows is forbidden. Without any rule, every
/// request is allowed.
public final class AccessRules {
    /// What a request wants.
    ///
    /// @param resource `pods`, or with its sub-resource `pods/binding`
    public record Access(
            String verb, String group, String resource, String namespace, String name) {
        /// Without what differs from object to object.
        String kind() {
            return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
        }
    }

    private record Grant(String namespace, JsonNode role) {}

    private static final String ADMIN = "admin";

    private final Map<String, List<Grant>> grants = new ConcurrentHashMap<>();
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    /// Gives a role to the owner of a token, and from then on rights to nobody else.
    ///
    /// @param namespace where a Role counts; empty for a ClusterRole that counts everywhere
    public void grant(String token, String namespace, JsonNode role) {
        grants.computeIfAbsent(token, _ -> new CopyOnWriteArrayList<>())
                .add(new Grant(namespace, role));
    }

    /// All that was asked for and allowed, as `create pods/binding`.
    public Set<String> used() {
        return new TreeSet<>(used);
    }

    void check(String token, Access wanted) {
        if (!grants.isEmpty() && !token.equals(ADMIN)) {
            List<Grant> mine = grants.get(token);
            if (mine == null) {
                throw new Refused(401, "Unauthorized", "Unauthorized");
            }
            if (mine.stream().noneMatch(each -> allows(each, wanted))) {
                throw Refused.forbidden(
                        "%s is forbidden: User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
                                .formatted(
                                        wanted.resource(),
                                        token,
                                        wanted.verb(),
                                        wanted.resource(),
                                        wanted.group(),
                                        wanted.namespace().isEmpty()
                                                ? "at the cluster scope"
                                                : "in the namespace \""
                                                        + wanted.namespace()
                                                        + "\""));
            }
            used.add(wanted.kind());
        }
    }

    private static boolean allows(Grant grant, Access wanted) {
        if (!grant.namespace().isEmpty() && !grant.namespace().equals(wanted.namespace())) {
            return false;
        }
        for (JsonNode rule : grant.role().path("rules")) {
            if (has(rule, "verbs", wanted.verb())
                    && has(rule, "apiGroups", wanted.group())
                    && has(rule, "resources", wanted.resource())
                    && (rule.path("resourceNames").isEmpty()
                            || has(rule, "resourceNames", wanted.name()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(JsonNode rule, String field, String value) {
        for (JsonNode each : rule.path(field)) {
            String text = each.asText();
            if (text.equals(value) || text.equals("*") && !field.equals("resourceNames")) {
                return true;
            }
            if (text.startsWith("*/") && value.endsWith(text.substring(1))) {
                return true;
            }
        }
        return false;
    }
}
