package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What objects refer to, and which references lead nowhere.
///
/// A model may be declared at the scheduler by an administrator, with a name of its own; such a
/// model is found if the cluster has no Model of the name.
final class References {
    private static final String NOT_THERE = " does not exist";

    private final PoolObjects objects;
    private final ServerNames names;

    /// The tenants of namespaces, as far as they were asked for.
    private final Map<String, String> tenants = new HashMap<>();

    /// The models that the scheduler knows.
    private Set<String> models = Set.of();

    References(PoolObjects objects, ServerNames names) {
        this.objects = objects;
        this.names = names;
    }

    void know(String namespace, String tenant) {
        tenants.put(namespace, tenant);
    }

    private boolean isOfOneTenant(String one, String other) {
        String tenant = tenants.getOrDefault(one, one);
        return one.equals(other) || tenant.equals(tenants.getOrDefault(other, other));
    }

    /// @return whether they differ from the present ones
    boolean know(Set<String> declared) {
        boolean differ = !models.equals(declared);
        models = Set.copyOf(declared);
        return differ;
    }

    /// The name at the scheduler of a model that an object names.
    String model(ObjectKey from, String namespace, String name) {
        ObjectKey key = from.referred(PoolKind.MODEL, namespace, name);
        boolean shared = objects.find(key) == null && models.contains(name);
        return shared ? name : names.of(key);
    }

    /// Whether a model that an object names is there.
    boolean hasModel(ObjectKey from, String name) {
        return objects.find(from.referred(PoolKind.MODEL, "", name)) != null
                || models.contains(name);
    }

    /// What the object names and is not there, one sentence each.
    List<String> missing(ObjectKey key, ObjectNode object) {
        var found = new ArrayList<String>();
        switch (key.kind()) {
            case AGENT_POOL -> {
                ObjectKey agentClass = agentClass(key, object);
                if (!agentClass.name().isEmpty()) {
                    ObjectNode there = objects.find(agentClass);
                    if (there == null) {
                        found.add(agentClass + NOT_THERE);
                    } else if (!isOfOneTenant(key.namespace(), agentClass.namespace())) {
                        found.add(agentClass + " belongs to another tenant; copy it here");
                    } else {
                        missingModel(agentClass, there.at("/spec/modelRef"), found);
                    }
                }
                JsonNode cost = object.at("/spec/scheduling/costOptimization");
                missingModel(key, "", cost.path("fallbackModel").asText(""), found);
                missingModel(key, "", cost.path("largerModel").asText(""), found);
            }
            case AGENT_CLASS -> missingModel(key, object.at("/spec/modelRef"), found);
            case TOOL_BINDING -> {
                ObjectKey pool = pool(key, object);
                if (!pool.name().isEmpty() && objects.find(pool) == null) {
                    found.add(pool + NOT_THERE);
                }
            }
            case MODEL -> {
                missingModel(key, "", object.at("/spec/smaller").asText(""), found);
                missingModel(key, "", object.at("/spec/larger").asText(""), found);
            }
        }
        return found;
    }

    private void missingModel(ObjectKey from, JsonNode reference, List<String> found) {
        missingModel(
                from,
                reference.path("namespace").asText(""),
                reference.path("name").asText(""),
                found);
    }

    private void missingModel(ObjectKey from, String namespace, String name, List<String> found) {
        ObjectKey key = from.referred(PoolKind.MODEL, namespace, name);
        if (!name.isEmpty() && objects.find(key) == null && !models.contains(name)) {
            found.add(key + NOT_THERE);
        }
    }

    /// The class of a pool; its name is empty where the pool names none.
    static ObjectKey agentClass(ObjectKey pool, JsonNode object) {
        JsonNode reference = object.at("/spec/agentClassRef");
        return pool.referred(
                PoolKind.AGENT_CLASS,
                reference.path("namespace").asText(""),
                reference.path("name").asText(""));
    }

    /// The pool of a binding, which is in its own namespace; its name is empty where it names none.
    static ObjectKey pool(ObjectKey binding, JsonNode object) {
        JsonNode reference = object.at("/spec/agentPoolRef");
        String name =
                reference.isObject() ? reference.path("name").asText("") : reference.asText("");
        return binding.referred(PoolKind.AGENT_POOL, "", name);
    }
}
