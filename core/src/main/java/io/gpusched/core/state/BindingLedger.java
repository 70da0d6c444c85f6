package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.QueueRule;

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
    private long names;
    private long contents;

    void restore(Image image) {
        image.classes().forEach(this::put);
        image.bindings().forEach(this::put);
    }

    void hear(Event event) {
        switch (event) {
            case Event.AgentClassPut e -> put(e.agentClass());
            case Event.AgentClassRemoved e -> count(classes.remove(e.agentClass()));
            case Event.BindingPut e -> put(e.binding());
            case Event.BindingRemoved e -> count(bindings.remove(e.binding()));
            case Event.TenantRemoved e -> remove(e.tenant());
            default -> {}
        }
    }

    /// A later tenant of the same name must not find the connections of this one.
    private void remove(TenantId tenant) {
        for (AgentClass each : classes()) {
            if (each.tenant().equals(tenant)) {
                count(classes.remove(each.name()));
            }
        }
        for (QueueBinding each : all()) {
            if (each.tenant().equals(tenant)) {
                count(bindings.remove(each.name()));
            }
        }
    }

    private void put(AgentClass next) {
        count(classes.put(next.name(), next));
        count(next);
    }

    private void put(QueueBinding next) {
        count(bindings.put(next.name(), next));
        count(next);
    }

    /// Counts it in, or out if it was counted before.
    private void count(@Nullable AgentClass one) {
        if (one != null) {
            long hash = Digest.mix(Digest.of(one.name()), Digest.of(one.model()));
            hash = Digest.mix(hash, one.slo().firstTokenMillis());
            names ^= Digest.mix(0xC1A55, hash);
            hash = Digest.mix(hash, Digest.of(one.tenant().name()));
            hash = Digest.mix(hash, one.slo().interTokenMillis());
            hash = Digest.mix(hash, one.slo().tokensPerSecond());
            hash = Digest.mix(hash, one.slo().permille());
            for (var pair : one.profile().entries().entrySet()) {
                hash =
                        Digest.mix(
                                Digest.mix(hash, Digest.of(pair.getKey())),
                                Digest.of(pair.getValue()));
            }
            contents ^= hash;
        }
    }

    private void count(@Nullable QueueBinding one) {
        if (one != null) {
            PoolId pool = one.pool();
            QueueRule rule = one.rule();
            long hash = Digest.mix(Digest.of(one.name()), Digest.of(one.queue()));
            hash = Digest.mix(hash, pool == null ? 0xB1D : Digest.of(pool.name()));
            names ^= hash;
            hash = Digest.mix(hash, Digest.of(one.tenant().name()));
            hash = Digest.mix(Digest.mix(hash, Digest.of(one.type())), Digest.of(one.provider()));
            hash = Digest.mix(hash, Digest.of(one.connection().text()));
            hash = Digest.mix(hash, Digest.of(one.group()));
            if (rule != null) {
                hash = Digest.mix(Digest.mix(hash, rule.prefetch()), rule.milliThroughput());
                hash = Digest.mix(hash, rule.maxLag());
            }
            contents ^= hash;
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

    /// @param ledger the version of the ledger's rules; the oldest journals were recorded with
    ///        names and queues only
    long digest(int ledger) {
        return ledger == 0 ? names : names ^ contents;
    }
}
