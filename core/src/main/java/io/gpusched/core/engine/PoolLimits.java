package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.ClusterState;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// How many pools, agent classes and queue bindings a tenant may have. Every cycle looks at all
/// pools, so one tenant must not be able to slow down all others.
final class PoolLimits {
    /// Of each kind.
    static final int PER_TENANT = 1_000;

    private PoolLimits() {}

    private record Owned(TenantId tenant, String name) {}

    /// What a tenant has too many of after these events; empty where nothing is too much.
    static List<Problem> problems(List<Event> events, ClusterState state) {
        var pools = new ArrayList<Owned>();
        var classes = new ArrayList<Owned>();
        var bindings = new ArrayList<Owned>();
        for (Event event : events) {
            switch (event) {
                case Event.PoolPut e ->
                        pools.add(new Owned(e.pool().tenant(), e.pool().id().name()));
                case Event.AgentClassPut e ->
                        classes.add(new Owned(e.agentClass().tenant(), e.agentClass().name()));
                case Event.BindingPut e ->
                        bindings.add(new Owned(e.binding().tenant(), e.binding().name()));
                default -> {}
            }
        }
        var problems = new ArrayList<Problem>();
        if (!pools.isEmpty()) {
            var present = new ArrayList<Owned>();
            state.pools()
                    .all()
                    .forEach(one -> present.add(new Owned(one.pool().tenant(), one.id().name())));
            check("pools", present, pools, problems);
        }
        if (!classes.isEmpty()) {
            var present = new ArrayList<Owned>();
            state.bindings()
                    .classes()
                    .forEach(one -> present.add(new Owned(one.tenant(), one.name())));
            check("agent classes", present, classes, problems);
        }
        if (!bindings.isEmpty()) {
            var present = new ArrayList<Owned>();
            state.bindings().all().forEach(one -> present.add(new Owned(one.tenant(), one.name())));
            check("bindings", present, bindings, problems);
        }
        return problems;
    }

    /// A tenant that has too many from before may still change them.
    private static void check(
            String kind, List<Owned> present, List<Owned> put, List<Problem> problems) {
        Set<TenantId> tenants = new TreeSet<>();
        put.forEach(one -> tenants.add(one.tenant()));
        for (TenantId tenant : tenants) {
            Set<String> before = names(tenant, present);
            Set<String> after = names(tenant, put);
            after.addAll(before);
            if (after.size() > PER_TENANT && after.size() > before.size()) {
                problems.add(
                        new Problem(
                                Problem.Code.INVALID,
                                "name",
                                String.format(
                                        Locale.ROOT,
                                        "a tenant has at most %d %s, this would be number %d",
                                        PER_TENANT,
                                        kind,
                                        after.size()),
                                "remove some that are no longer used"));
            }
        }
    }

    private static Set<String> names(TenantId tenant, List<Owned> all) {
        Set<String> names = new TreeSet<>();
        for (Owned one : all) {
            if (one.tenant().equals(tenant)) {
                names.add(one.name());
            }
        }
        return names;
    }
}
