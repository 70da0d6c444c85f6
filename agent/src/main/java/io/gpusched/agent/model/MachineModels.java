package io.gpusched.agent.model;

import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The model cache of the machine that the agent runs on.
public final class MachineModels implements ModelHost {
    private final String node;
    private final LocalModels cache;

    public MachineModels(String node, LocalModels cache) {
        this.node = node;
        this.cache = cache;
    }

    @Override
    public void start(Runnable changed) {
        cache.start(changed);
    }

    @Override
    public void follow(String of, List<ModelOrder> orders) {
        if (of.equals(node)) {
            cache.follow(orders);
        }
    }

    @Override
    public void look() {
        cache.look();
    }

    @Override
    public Map<String, List<HeldModel>> held() {
        return Map.of(node, cache.held());
    }

    @Override
    public String find(String on, String model) {
        Path directory = on.equals(node) ? cache.find(model) : null;
        return directory == null ? "" : directory.toString();
    }

    @Override
    public void close() {
        cache.close();
    }
}
