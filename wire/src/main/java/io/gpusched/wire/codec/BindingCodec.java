package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.Secret;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.proto.JournalProto;
import io.gpusched.wire.proto.PoolProto;

import java.time.Instant;
import java.util.TreeMap;

/// Converts agent classes and queue bindings. The journal holds the connections: without them a
/// restart would lose them.
final class BindingCodec {
    private BindingCodec() {}

    /// Writes the event, if it is about agent classes or bindings.
    static void encode(Event event, JournalProto.Event.Builder to) {
        switch (event) {
            case Event.AgentClassPut e -> to.setAgentClassPut(encode(e));
            case Event.AgentClassRemoved e -> to.setAgentClassRemoved(encode(e));
            case Event.BindingPut e -> to.setBindingPut(encode(e));
            case Event.BindingRemoved e -> to.setBindingRemoved(encode(e));
            default -> {}
        }
    }

    /// Reads an event about agent classes or bindings.
    static Event decode(Instant at, JournalProto.Event from) {
        if (from.hasAgentClassPut()) {
            return decode(at, from.getAgentClassPut());
        }
        if (from.hasAgentClassRemoved()) {
            return decode(at, from.getAgentClassRemoved());
        }
        return from.hasBindingPut()
                ? decode(at, from.getBindingPut())
                : decode(at, from.getBindingRemoved());
    }

    static PoolProto.AgentClass encode(AgentClass from) {
        var message =
                PoolProto.AgentClass.newBuilder()
                        .setName(from.name())
                        .setTenant(from.tenant().name())
                        .setModel(from.model())
                        .putAllProfile(from.profile().entries());
        message.getSloBuilder()
                .setFirstTokenMillis(from.slo().firstTokenMillis())
                .setInterTokenMillis(from.slo().interTokenMillis())
                .setTokensPerSecond(from.slo().tokensPerSecond())
                .setPermille(from.slo().permille());
        return message.build();
    }

    static AgentClass decode(PoolProto.AgentClass from) {
        return new AgentClass(
                from.getName(),
                new TenantId(from.getTenant()),
                from.getModel(),
                new Slo(
                        from.getSlo().getFirstTokenMillis(),
                        from.getSlo().getInterTokenMillis(),
                        from.getSlo().getTokensPerSecond(),
                        from.getSlo().getPermille()),
                new Labels(new TreeMap<>(from.getProfileMap())));
    }

    static PoolProto.Binding encode(QueueBinding from) {
        PoolId pool = from.pool();
        QueueRule rule = from.rule();
        var message =
                PoolProto.Binding.newBuilder()
                        .setName(from.name())
                        .setTenant(from.tenant().name())
                        .setPool(pool == null ? "" : pool.name())
                        .setType(from.type())
                        .setProvider(from.provider())
                        .setConnection(from.connection().text())
                        .setQueue(from.queue())
                        .setGroup(from.group());
        if (rule != null) {
            message.getRuleBuilder()
                    .setPrefetch(rule.prefetch())
                    .setMilliThroughput(rule.milliThroughput())
                    .setMaxLag(rule.maxLag());
        }
        return message.build();
    }

    static QueueBinding decode(PoolProto.Binding from) {
        return new QueueBinding(
                from.getName(),
                new TenantId(from.getTenant()),
                from.getPool().isEmpty() ? null : new PoolId(from.getPool()),
                from.getType(),
                from.getProvider(),
                new Secret(from.getConnection()),
                from.getQueue(),
                from.getGroup(),
                from.hasRule()
                        ? new QueueRule(
                                from.getRule().getPrefetch(),
                                from.getRule().getMilliThroughput(),
                                from.getRule().getMaxLag())
                        : null);
    }

    private static JournalProto.AgentClassPut encode(Event.AgentClassPut e) {
        return JournalProto.AgentClassPut.newBuilder()
                .setAgentClass(encode(e.agentClass()))
                .setBy(e.by())
                .build();
    }

    private static Event decode(Instant at, JournalProto.AgentClassPut from) {
        return new Event.AgentClassPut(at, decode(from.getAgentClass()), from.getBy());
    }

    private static JournalProto.AgentClassRemoved encode(Event.AgentClassRemoved e) {
        return JournalProto.AgentClassRemoved.newBuilder()
                .setAgentClass(e.agentClass())
                .setBy(e.by())
                .build();
    }

    private static Event decode(Instant at, JournalProto.AgentClassRemoved from) {
        return new Event.AgentClassRemoved(at, from.getAgentClass(), from.getBy());
    }

    private static JournalProto.BindingPut encode(Event.BindingPut e) {
        return JournalProto.BindingPut.newBuilder()
                .setBinding(encode(e.binding()))
                .setBy(e.by())
                .build();
    }

    private static Event decode(Instant at, JournalProto.BindingPut from) {
        return new Event.BindingPut(at, decode(from.getBinding()), from.getBy());
    }

    private static JournalProto.BindingRemoved encode(Event.BindingRemoved e) {
        return JournalProto.BindingRemoved.newBuilder()
                .setBinding(e.binding())
                .setBy(e.by())
                .build();
    }

    private static Event decode(Instant at, JournalProto.BindingRemoved from) {
        return new Event.BindingRemoved(at, from.getBinding(), from.getBy());
    }
}
