package io.gpusched.gateway.proxy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.gateway.admit.KeyOwner;
import io.gpusched.gateway.pool.ServedPool;

import java.util.Collection;
import java.util.LinkedHashMap;

/// `GET /v1/models`: the pools that a key may use, and the models behind them.
final class ModelList {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ModelList() {}

    static GatewayAnswer of(Collection<ServedPool> pools, KeyOwner.Known owner) {
        var owners = new LinkedHashMap<String, String>();
        for (ServedPool pool : pools) {
            if (owner.mayUse(pool.config())) {
                owners.putIfAbsent(pool.name(), pool.config().tenant());
                if (!pool.config().model().isEmpty()) {
                    owners.putIfAbsent(pool.config().model(), pool.config().tenant());
                }
            }
        }
        ObjectNode answer = JSON.createObjectNode().put("object", "list");
        var list = answer.putArray("data");
        owners.forEach(
                (name, tenant) ->
                        list.addObject()
                                .put("id", name)
                                .put("object", "model")
                                .put("owned_by", tenant));
        return GatewayAnswer.json(200, answer.toString());
    }
}
