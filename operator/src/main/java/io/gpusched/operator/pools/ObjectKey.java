package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;

/// Which custom resource is meant.
record ObjectKey(PoolKind kind, String namespace, String name) {
    static ObjectKey of(PoolKind kind, JsonNode object) {
        return new ObjectKey(
                kind,
                object.at("/metadata/namespace").asText(),
                object.at("/metadata/name").asText());
    }

    /// The same name in another namespace, where a reference names one.
    ObjectKey referred(PoolKind other, String toNamespace, String toName) {
        return new ObjectKey(other, toNamespace.isEmpty() ? namespace : toNamespace, toName);
    }

    @Override
    public String toString() {
        return kind.text() + " " + namespace + "/" + name;
    }
}
