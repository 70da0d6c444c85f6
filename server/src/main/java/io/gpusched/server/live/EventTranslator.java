package io.gpusched.server.live;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.ClusterView;
import io.gpusched.server.live.LiveEvent.About;
import io.gpusched.server.live.LiveEvent.Wording;
import io.gpusched.server.view.OtherJobs;
import io.gpusched.server.view.OtherJobs.JobTenants;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Turns the events of batches into [LiveEvent]s, in order. Events that concern no person are left
/// out: changes of single tasks, claims, observations, leases.
///
/// An event does not say what was before it; what has to be compared (was the node known, was it
/// reachable, which policy was in force) is kept in [KnownNodes] and [KnownTenants]. A translator
/// that begins in the middle of the journal knows nothing, and then describes an event by itself.
/// One thread uses it.
final class EventTranslator {
    private final KnownNodes nodes = new KnownNodes();
    private final KnownTenants tenants = new KnownTenants();
    private final KnownPools pools = new KnownPools();
    private String policy = "";

    /// A translator that begins after this state.
    static EventTranslator after(ClusterView state, String policy) {
        var translator = new EventTranslator();
        translator.nodes.begin(state);
        translator.tenants.begin(state);
        translator.pools.begin(state);
        translator.policy = policy;
        return translator;
    }

    /// Passes on the live events of a batch.
    ///
    /// @param jobTenants knows the jobs of this batch, also those that ended with it
    void translate(Batch batch, JobTenants jobTenants, Consumer<LiveEvent> into) {
        int index = 0;
        for (List<Event> events : List.of(batch.facts(), batch.decided())) {
            for (Event event : events) {
                var place = new Place(new EventId(batch.number(), index++), event, jobTenants);
                LiveEvent translated = translated(place);
                if (translated != null) {
                    into.accept(translated);
                }
            }
        }
    }

    /// Passes on that nodes are drained which were draining before. No event records this.
    ///
    /// @param state the cluster after the batch
    void drained(Batch batch, ClusterView state, Consumer<LiveEvent> into) {
        int index = batch.size();
        for (NodeId node : nodes.drained(state)) {
            into.accept(
                    new LiveEvent(
                            new EventId(batch.number(), index++),
                            batch.at(),
                            EventKind.NODE_DRAINED,
                            About.node(node),
                            Wording.of("node " + node + " is drained: no job runs on it")));
        }
    }

    /// An event with its id, and who owns its job.
    private record Place(EventId id, Event event, JobTenants jobTenants) {
        LiveEvent with(EventKind kind, About about, Wording wording) {
            return new LiveEvent(id, event.at(), kind, about, wording);
        }

        /// An event of a node or of the cluster, which all tenants may see.
        LiveEvent open(EventKind kind, About about, String text) {
            return with(kind, about, Wording.of(text, OtherJobs.hidden(text, null, jobTenants)));
        }
    }

    private @Nullable LiveEvent translated(Place place) {
        return switch (place.event) {
            case Event.JobSubmitted e ->
                    ofJob(place, e.job(), e.spec().tenant(), List.of(), EventText.message(e));
            case Event.JobUpdated e -> ofJob(place, e.job());
            case Event.JobHeld e -> ofJob(place, e.job());
            case Event.JobReleased e -> ofJob(place, e.job());
            case Event.AttemptPlaced e -> placed(place, e);
            case Event.AttemptRunning e -> ofJob(place, e.attempt().job());
            case Event.AttemptStopping e -> ofJob(place, e.attempt().job());
            case Event.TaskIdle e -> ofJob(place, e.attempt().job());
            case Event.StartRefused e -> ofJob(place, e.attempt().job(), e.node());
            case Event.AvoidanceEnded e -> ofJob(place, e.job(), e.node());
            case Event.JobRequeued e -> ofJob(place, e.job());
            case Event.JobEnded e -> ofJob(place, e.job());
            case Event.CapacityChosen e -> ofJob(place, e.job());
            case Event.NodeJoined e -> joined(place, e);
            case Event.NodeChanged e -> changed(place, e);
            case Event.NodeRemoved e -> removed(place, e.node());
            case Event.GpuChanged e -> gpu(place, e);
            case Event.TenantPut e -> tenant(place, e);
            case Event.TenantRemoved e -> tenant(place, e);
            case Event.PolicyChanged e -> policy(place, e);
            case Event.Imported e -> imported(place, e);
            case Event.EngineStarted e ->
                    place.open(
                            EventKind.STARTED,
                            About.everyone(),
                            "the scheduler started (version " + e.build() + ")");
            case Event.OrdersDelayed e ->
                    place.open(
                            EventKind.DELAYED,
                            About.everyone(),
                            "the scheduler could send no orders for " + e.by().toSeconds() + " s");
            case Event.TaskChanged _, Event.RefusalConfirmed _, Event.ClaimMade _ -> null;
            case Event.ClaimDropped _, Event.AgentJoined _, Event.AgentLost _ -> null;
            case Event.ForeignChanged _, Event.PoolLoadChanged _, Event.PoolRecommended _ -> null;
            case Event.ModelPut _, Event.ModelRemoved _, Event.AgentClassPut _ -> null;
            case Event.BindingPut _, Event.BindingRemoved _, Event.ModelCached _ -> null;
            case Event.ModelWanted _, Event.ModelUnwanted _, Event.AgentClassRemoved _ -> null;
            case Event.MarketChanged _, Event.Observed _, Event.Scored _ -> null;
            case Event.RetentionChanged _, Event.LeaseBound _, Event.PoolChoice _ -> null;
            case Event.SpotSeen _ -> null;
            case Event.ForecastPut _, Event.ForecastRemoved _ -> null;
            case Event.PoolPut e -> pool(place, e);
            case Event.PoolRemoved e -> pool(place, e);
            case Event.PoolHeld e -> pool(place, e);
            case Event.PoolScaled e -> pool(place, e);
            case Event.PoolLapsed e -> pool(place, e);
            case Event.ReplicaDraining e -> pool(place, e);
        };
    }

    private static @Nullable LiveEvent ofJob(Place place, JobId job) {
        return ofJob(
                place, job, place.jobTenants.of(job), List.of(), EventText.message(place.event));
    }

    private static @Nullable LiveEvent ofJob(Place place, JobId job, NodeId node) {
        return ofJob(
                place,
                job,
                place.jobTenants.of(job),
                List.of(node),
                EventText.message(place.event));
    }

    private static @Nullable LiveEvent ofJob(
            Place place, JobId job, @Nullable TenantId tenant, List<NodeId> on, String text) {
        EventKind kind = EventText.jobKind(place.event);
        return kind == null
                ? null
                : place.with(
                        kind,
                        About.job(job, tenant, on),
                        Wording.of(text, OtherJobs.hidden(text, tenant, place.jobTenants)));
    }

    /// The message of a placement is made later: its score terms have to be parsed. It names no
    /// job.
    private static LiveEvent placed(Place place, Event.AttemptPlaced e) {
        JobId job = e.attempt().job();
        List<NodeId> on = e.on().slots().stream().map(slot -> slot.node()).distinct().toList();
        Supplier<String> text = () -> EventText.message(e);
        return place.with(
                EventKind.SCHEDULED,
                About.job(job, place.jobTenants.of(job), on),
                new Wording(text, text, e.because().length() + 16 * e.on().slots().size()));
    }

    private LiveEvent joined(Place place, Event.NodeJoined e) {
        NodeId id = e.node().id();
        boolean isNew = nodes.joined(id);
        int gpus = e.node().gpus().size();
        return place.open(
                isNew ? EventKind.NODE_JOINED : EventKind.NODE_CHANGED,
                About.node(id),
                "node %s %s %d %s"
                        .formatted(
                                id,
                                isNew ? "joined with" : "now has",
                                gpus,
                                gpus == 1 ? "GPU" : "GPUs"));
    }

    private @Nullable LiveEvent changed(Place place, Event.NodeChanged e) {
        EventKind kind = nodes.changed(e);
        return kind == null
                ? null
                : place.open(kind, About.node(e.node()), NodeText.changed(e, kind));
    }

    private LiveEvent removed(Place place, NodeId node) {
        nodes.removed(node);
        return place.open(
                EventKind.NODE_REMOVED, About.node(node), "node " + node + " was removed");
    }

    private @Nullable LiveEvent gpu(Place place, Event.GpuChanged e) {
        EventKind kind = nodes.gpuChanged(e);
        return kind == null ? null : place.open(kind, About.node(e.node()), NodeText.gpu(e, kind));
    }

    private LiveEvent tenant(Place place, Event.TenantPut e) {
        TenantId id = e.tenant().id();
        boolean isNew = tenants.put(id);
        return place.with(
                isNew ? EventKind.TENANT_CREATED : EventKind.TENANT_CHANGED,
                About.tenant(id),
                Wording.of(
                        "tenant %s was %s by %s"
                                .formatted(id, isNew ? "created" : "changed", e.by())));
    }

    private LiveEvent tenant(Place place, Event.TenantRemoved e) {
        tenants.removed(e.tenant());
        return place.with(
                EventKind.TENANT_REMOVED,
                About.tenant(e.tenant()),
                Wording.of("tenant " + e.tenant() + " was removed by " + e.by()));
    }

    private LiveEvent pool(Place place, Event.PoolPut e) {
        boolean isNew = pools.put(e);
        return place.with(
                isNew ? EventKind.POOL_CREATED : EventKind.POOL_CHANGED,
                pools.about(e.pool().id()),
                Wording.of(
                        "pool %s was %s by %s: %d to %d replicas"
                                .formatted(
                                        e.pool().id(),
                                        isNew ? "created" : "changed",
                                        e.by(),
                                        e.pool().min(),
                                        e.pool().max())));
    }

    private LiveEvent pool(Place place, Event.PoolRemoved e) {
        return pool(place, EventKind.POOL_REMOVED, e.pool(), "is removed by " + e.by());
    }

    private LiveEvent pool(Place place, Event.PoolHeld e) {
        String why = e.reason().isEmpty() ? "" : ": " + e.reason();
        return pool(
                place,
                EventKind.POOL_HELD,
                e.pool(),
                (e.replicas() == null
                                ? "is sized by its rules again, by "
                                : "is held at " + e.replicas() + " by ")
                        + e.by()
                        + why);
    }

    private LiveEvent pool(Place place, Event.PoolScaled e) {
        return pool(
                place,
                EventKind.POOL_SCALED,
                e.pool(),
                "goes from %d to %d replicas: %s".formatted(e.from(), e.to(), e.reason()));
    }

    private LiveEvent pool(Place place, Event.PoolLapsed e) {
        return pool(place, EventKind.POOL_LAPSED, e.pool(), "found no capacity: " + e.reason());
    }

    private static LiveEvent pool(Place place, Event.ReplicaDraining e) {
        return place.with(
                EventKind.REPLICA_DRAINING,
                KnownPools.about(e.job(), place.jobTenants.of(e.job())),
                Wording.of("replica " + e.job() + " gets no new requests: " + e.reason()));
    }

    private LiveEvent pool(Place place, EventKind kind, PoolId pool, String what) {
        String text = "pool " + pool + " " + what;
        return place.with(
                kind,
                pools.about(pool),
                Wording.of(text, OtherJobs.hidden(text, null, place.jobTenants)));
    }

    private LiveEvent policy(Place place, Event.PolicyChanged e) {
        String before = policy.isEmpty() ? e.configured() : policy;
        policy = e.policy();
        return place.open(EventKind.POLICY, About.everyone(), EventText.policyChanged(e, before));
    }

    private static LiveEvent imported(Place place, Event.Imported e) {
        int learned =
                e.runtimes().size()
                        + e.slowdowns().size()
                        + e.runs().size()
                        + e.interference().size();
        return place.with(
                EventKind.MODEL,
                About.adminsOnly(),
                Wording.of("%s imported %d learned values".formatted(e.by(), learned)));
    }
}
