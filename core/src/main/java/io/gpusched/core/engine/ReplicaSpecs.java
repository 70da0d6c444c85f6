package io.gpusched.core.engine;

import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Toleration;
import io.gpusched.core.policy.score.DataLocality;
import io.gpusched.core.policy.score.ModelCache;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.state.NodePrices;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Builds the job of a replica from what its pool says.
final class ReplicaSpecs {
    private ReplicaSpecs() {}

    /// The label of a replica that says on which capacity it may run.
    static final String CAPACITY = "gpu-scheduler.io/capacity";

    static final String SPOT = "spot";

    private static final String ON_DEMAND = "on-demand";

    private static final String PORT = "GPU_SCHEDULER_PORT";

    private static final String INSTANCE_TYPE = "instance_type";

    /// A replica as it runs in one market.
    record Offer(JobSpec spec, boolean spot, long microDollarsPerGpuHour) {}

    /// The replica in each market that its pool may use, the cheapest first: in spot markets once
    /// for each type of instance. Where all capacity on demand has one price, the replica selects
    /// none of it, so that it may run on nodes without a price too.
    static List<Offer> offers(JobSpec spec, List<String> types, NodePrices prices) {
        JobSpec anyOnDemand = onDemand(spec, prices);
        boolean choice = pricesOnDemand(prices) > 1;
        var all = new ArrayList<Offer>();
        for (Market market : prices.cheapestFirst()) {
            long price = market.microDollarsPerGpuHour();
            if (market.spot()) {
                onSpot(spec, market, types).forEach(one -> all.add(new Offer(one, true, price)));
            } else if (selects(spec, market)) {
                JobSpec one = choice ? in(anyOnDemand, market) : anyOnDemand;
                all.add(new Offer(one, false, price));
            }
        }
        all.sort(
                Comparator.comparingLong(Offer::microDollarsPerGpuHour).thenComparing(Offer::spot));
        if (!choice && !all.isEmpty() && !all.getLast().spot()) {
            all.removeLast();
        }
        return all;
    }

    private static long pricesOnDemand(NodePrices prices) {
        return prices.cheapestFirst().stream()
                .filter(market -> !market.spot())
                .mapToLong(Market::microDollarsPerGpuHour)
                .distinct()
                .count();
    }

    /// Whether the replica's own selection leaves the market open.
    private static boolean selects(JobSpec spec, Market market) {
        for (Role role : spec.roles()) {
            String own = role.shape().nodes().value(market.label());
            if (!own.isEmpty() && !own.equals(market.value())) {
                return false;
            }
        }
        return true;
    }

    private static JobSpec in(JobSpec spec, Market market) {
        return selecting(spec, Labels.of(market.label(), market.value()), List.of())
                .withLabels(spec.labels().with(CAPACITY, ON_DEMAND));
    }

    /// Replicas that run on spot capacity only. They tolerate a taint named `spot`, or like the
    /// label of the market.
    private static List<JobSpec> onSpot(JobSpec spec, Market market, List<String> types) {
        Labels wanted = Labels.of(market.label(), market.value());
        return types.isEmpty()
                ? List.of(on(spec, wanted))
                : types.stream().map(type -> on(spec, wanted.with(INSTANCE_TYPE, type))).toList();
    }

    private static JobSpec on(JobSpec spec, Labels wanted) {
        var tolerates = new ArrayList<Toleration>();
        tolerates.add(new Toleration(SPOT, true, "", ""));
        wanted.entries().keySet().forEach(key -> tolerates.add(new Toleration(key, true, "", "")));
        return selecting(spec, wanted, tolerates).withLabels(spec.labels().with(CAPACITY, SPOT));
    }

    private static JobSpec selecting(JobSpec spec, Labels wanted, List<Toleration> tolerated) {
        var roles = new ArrayList<Role>();
        for (Role role : spec.roles()) {
            Shape shape = role.shape();
            Labels nodes = shape.nodes();
            var tolerates = new ArrayList<>(shape.tolerates());
            tolerates.addAll(tolerated);
            for (var pair : wanted.entries().entrySet()) {
                nodes = nodes.with(pair.getKey(), pair.getValue());
            }
            var next = new Shape(shape.gpus(), shape.host(), shape.models(), nodes, tolerates);
            roles.add(new Role(role.name(), next, role.min(), role.max()));
        }
        return spec.withRoles(roles);
    }

    /// A replica that runs on demand although its pool may use spot capacity: a spot node is not
    /// used only because it has no taint. What the replica itself selects is not excluded.
    static JobSpec onDemand(JobSpec spec, NodePrices prices) {
        Labels selected = spec.roles().getFirst().shape().nodes();
        var spot = new ArrayList<CapacityRule.SpotLabel>();
        for (Market market : prices.cheapestFirst()) {
            if (market.spot() && !selected.value(market.label()).equals(market.value())) {
                spot.add(new CapacityRule.SpotLabel(market.label(), market.value()));
            }
        }
        return spot.isEmpty() ? spec : spec.on(new CapacityRule(CapacityRule.Kind.ON_DEMAND, spot));
    }

    /// Whether the replica may run in one market only, which was the cheapest with room.
    static boolean isInMarket(JobSpec spec) {
        return !spec.labels().value(CAPACITY).isEmpty();
    }

    static boolean isOnSpot(JobSpec spec) {
        return spec.labels().value(CAPACITY).equals(SPOT);
    }

    /// The port on which a replica was told to listen; 0 where it was told none.
    static int port(JobSpec spec) {
        String port = spec.payload().environment().value(PORT);
        return port.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(port) : 0;
    }

    /// @param model the model that it loads; empty where none is named
    static JobSpec of(Pool pool, int number, String model, boolean memoryPerGpu) {
        JobSpec spec = pool.replica();
        if (memoryPerGpu) {
            spec = spec.countingMemoryPerGpu();
        }
        spec = spec.withLabels(labels(spec.labels(), pool.locality(), model));
        return spec.withPayload(payload(pool, number, model))
                .as(pool.id() + "-" + number, new Replica(pool.id().name(), number));
    }

    /// What the scorers read: the model, the data to be near, the jobs to keep away from, and how
    /// much both count. What the replica's own labels name stays named.
    private static Labels labels(Labels own, LocalityRules rules, String model) {
        Labels labels = model.isEmpty() ? own : own.with(ModelCache.MODEL, model);
        labels = listed(labels, DataLocality.STORES, rules.near());
        labels = listed(labels, DataLocality.APART, rules.apart());
        labels = percent(labels, DataLocality.PERCENT, rules.weightPercent());
        return percent(labels, ModelCache.PERCENT, rules.cachePercent());
    }

    private static Labels listed(Labels labels, String key, List<String> more) {
        if (more.isEmpty()) {
            return labels;
        }
        String own = labels.value(key);
        String all = String.join(",", more);
        return labels.with(key, own.isEmpty() ? all : own + "," + all);
    }

    private static Labels percent(Labels labels, String key, int percent) {
        return percent == 0 ? labels : labels.with(key, Integer.toString(percent));
    }

    private static Payload payload(Pool pool, int number, String model) {
        Payload given = pool.replica().payload();
        Labels environment =
                given.environment()
                        .with("GPU_SCHEDULER_POOL", pool.id().name())
                        .with("GPU_SCHEDULER_REPLICA", Integer.toString(number));
        if (pool.serving().port() > 0) {
            int port = pool.serving().port() + number;
            environment = environment.with(PORT, Integer.toString(port));
        }
        if (!model.isEmpty()) {
            environment = environment.with("GPU_SCHEDULER_MODEL", model);
        }
        return new Payload(
                given.script(),
                given.command(),
                given.args(),
                environment,
                given.image(),
                given.workingDir());
    }
}
