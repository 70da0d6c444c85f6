package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Digest;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The ledger's part about agent classes and queue bindings. Nothing is decided by them: the
/// server completes pools with them before it puts the pools.
public final class BindingLedger {
    /// Everything in it, for a snapshot.
    public record Image(List<AgentClass> classes, List<QueueBinding> bindings) {
        public static final Image NOTHING = new Image(List.of(), List.of());

        public Image {
            classes = List.copyOf(classes);
            bindings = List.copyOf(bindings);
        }
    }

    private final SequencedMap<String, AgentClass> classes = new TreeMap<>();
    private final SequencedMap<String, QueueBinding> bindings = new TreeMap<>();

    void restore(Image image) {
        image.classes().forEach(each -> classes.put(each.name(), each));
        image.bindings().forEach(each -> bindings.put(each.name(), each));
    }

    void hear(Event event) {
        switch (event) {
            case Event.AgentClassPut e -> classes.put(e.agentClass().name(), e.agentClass());
            case Event.AgentClassRemoved e -> classes.remove(e.agentClass());
            case Event.BindingPut e -> bindings.put(e.binding().name(), e.binding());
            case Event.BindingRemoved e -> bindings.remove(e.binding());
            default -> {}
        }
    }

    Image image() {
        return new Image(classes(), all());
    }

    /// The classes, by name.
    public List<AgentClass> classes() {
        return new ArrayList<>(classes.values());
    }

    public @Nullable AgentClass agentClass(String name) {
        return classes.get(name);
    }

    /// The bindings, by name.
    public List<QueueBinding> all() {
        return new ArrayList<>(bindings.values());
    }

    public @Nullable QueueBinding find(String name) {
        return bindings.get(name);
    }

    long digest() {
        long all = 0;
        for (AgentClass each : classes.values()) {
            long hash = Digest.mix(Digest.of(each.name()), Digest.of(each.model()));
            all ^= Digest.mix(0xC1A55, Digest.mix(hash, each.slo().firstTokenMillis()));
        }
        for (QueueBinding each : bindings.values()) {
            PoolId pool = each.pool();
            long hash = Digest.mix(Digest.of(each.name()), Digest.of(each.queue()));
            all ^= Digest.mix(hash, pool == null ? 0xB1D : Digest.of(pool.name()));
        }
        return all;
    }
}
