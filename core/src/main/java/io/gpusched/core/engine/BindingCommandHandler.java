package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.stream.Collectors;

/// Answers commands about agent classes and queue bindings. No problem quotes a connection.
final class BindingCommandHandler {
    private final ClusterState state;
    private final Instant now;

    BindingCommandHandler(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    Answer to(Command.PutAgentClass c) {
        AgentClass before = state.bindings().agentClass(c.agentClass().name());
        Answer refused = refusal(c.agentClass().tenant(), before == null ? null : before.tenant());
        if (refused != null) {
            return refused;
        }
        return c.agentClass().equals(before)
                ? Answer.accepted()
                : Answer.accepted(new Event.AgentClassPut(now, c.agentClass(), c.by()));
    }

    Answer to(Command.RemoveAgentClass c) {
        if (state.bindings().agentClass(c.name()) == null) {
            return Answer.rejected(
                    Problem.Code.UNKNOWN_AGENT_CLASS,
                    "agent_class",
                    "there is no agent class " + c.name(),
                    "list the classes");
        }
        String pools = poolsOf(c.name());
        return pools.isEmpty() || c.force()
                ? Answer.accepted(new Event.AgentClassRemoved(now, c.name(), c.by()))
                : Answer.rejected(
                        Problem.Code.WRONG_STATE,
                        "agent_class",
                        "agent class " + c.name() + " is used by " + pools,
                        "remove these pools or let them name another class; with force they keep"
                                + " its model and objectives");
    }

    private String poolsOf(String agentClass) {
        return state.pools().all().stream()
                .filter(
                        entry ->
                                !entry.removed()
                                        && entry.pool()
                                                .replica()
                                                .labels()
                                                .value(AgentClass.LABEL)
                                                .equals(agentClass))
                .map(entry -> entry.id().name())
                .collect(Collectors.joining(", "));
    }

    Answer to(Command.PutBinding c) {
        QueueBinding before = state.bindings().find(c.binding().name());
        Answer refused = refusal(c.binding().tenant(), before == null ? null : before.tenant());
        if (refused != null) {
            return refused;
        }
        PoolId pool = c.binding().pool();
        PoolEntry entry = pool == null ? null : state.pools().find(pool);
        if (entry != null && !entry.pool().tenant().equals(c.binding().tenant())) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    "pool",
                    "pool " + pool + " does not belong to tenant " + c.binding().tenant(),
                    "name a pool of the binding's own tenant");
        }
        return c.binding().equals(before)
                ? Answer.accepted()
                : Answer.accepted(new Event.BindingPut(now, c.binding(), c.by()));
    }

    Answer to(Command.RemoveBinding c) {
        return state.bindings().find(c.binding()) == null
                ? Answer.rejected(
                        Problem.Code.UNKNOWN_BINDING,
                        "binding",
                        "there is no binding " + c.binding(),
                        "list the bindings")
                : Answer.accepted(new Event.BindingRemoved(now, c.binding(), c.by()));
    }

    private @Nullable Answer refusal(TenantId tenant, @Nullable TenantId owner) {
        if (state.tenants().find(tenant) == null) {
            return Answer.rejected(
                    Problem.Code.UNKNOWN_TENANT,
                    "tenant_id",
                    "tenant " + tenant + " does not exist",
                    "create it, or use the tenant `default`");
        }
        return owner == null || owner.equals(tenant)
                ? null
                : Answer.rejected(
                        Problem.Code.EXISTS,
                        "name",
                        "the name is taken by another tenant",
                        "choose another name");
    }
}
