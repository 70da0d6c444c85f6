package io.gpusched.server.view;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.Replica;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes the part of a view that is about pools. It reads only pools again that a batch touched.
final class PoolViewMaker {
    private final Set<PoolId> touched = new LinkedHashSet<>();
    private boolean modelsChanged = true;
    private boolean bindingsChanged = true;
    private boolean forecastsChanged = true;
    private PersistentMap<PoolId, PoolRow> rows = PersistentMap.none();
    private Map<String, ModelRow> models = Map.of();
    private Map<String, AgentClass> classes = Map.of();
    private Map<String, QueueBinding> bindings = Map.of();
    private List<RegionForecast> forecasts = List.of();

    PoolViewMaker(ClusterState state) {
        state.pools().all().forEach(entry -> touched.add(entry.id()));
    }

    /// Notes what an event is going to change.
    void note(Event event, ClusterState state) {
        switch (event) {
            case Event.PoolPut e -> touched.add(e.pool().id());
            case Event.PoolRemoved e -> touched.add(e.pool());
            case Event.PoolHeld e -> touched.add(e.pool());
            case Event.PoolLoadChanged e -> {
                touched.add(e.pool());
                // A replica that has become ready has its model on its node.
                modelsChanged = true;
            }
            case Event.PoolRecommended e -> touched.add(e.pool());
            case Event.PoolScaled e -> touched.add(e.pool());
            case Event.PoolLapsed e -> touched.add(e.pool());
            case Event.ModelPut _, Event.ModelRemoved _ -> modelsChanged = true;
            case Event.ModelCached e -> {
                modelsChanged = true;
                for (PoolEntry entry : state.pools().all()) {
                    if (entry.choice().model().equals(e.model())) {
                        touched.add(entry.id());
                    }
                }
            }
            case Event.ModelWanted _, Event.ModelUnwanted _ -> modelsChanged = true;
            case Event.NodeRemoved _ -> modelsChanged = true;
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> bindingsChanged = true;
            case Event.BindingPut _, Event.BindingRemoved _, Event.TenantRemoved _ ->
                    bindingsChanged = true;
            case Event.ForecastPut _, Event.ForecastRemoved _ -> forecastsChanged = true;
            case Event.JobSubmitted e -> noteReplica(e.spec().replica());
            case Event.JobHeld e -> noteJob(e.job(), state);
            case Event.JobReleased e -> noteJob(e.job(), state);
            case Event.AttemptPlaced e -> noteJob(e.attempt().job(), state);
            case Event.AttemptRunning e -> noteJob(e.attempt().job(), state);
            case Event.AttemptStopping e -> noteJob(e.attempt().job(), state);
            case Event.ReplicaDraining e -> noteJob(e.job(), state);
            case Event.JobRequeued e -> noteJob(e.job(), state);
            case Event.JobEnded e -> noteJob(e.job(), state);
            default -> {}
        }
    }

    private void noteJob(JobId id, ClusterState state) {
        Job job = state.pools().isEmpty() ? null : state.job(id);
        if (job != null) {
            noteReplica(job.spec().replica());
        }
    }

    private void noteReplica(@Nullable Replica replica) {
        if (replica != null) {
            touched.add(new PoolId(replica.pool()));
        }
    }

    PoolsView view(ClusterState state) {
        if (!touched.isEmpty()) {
            var next = new HashMap<PoolId, @Nullable PoolRow>();
            for (PoolId id : touched) {
                PoolEntry entry = state.pools().find(id);
                next.put(id, entry == null ? null : PoolRow.of(entry, state, state.lastAt()));
            }
            rows = rows.with(next);
            touched.clear();
        }
        if (modelsChanged) {
            models = models(state);
            modelsChanged = false;
        }
        if (bindingsChanged) {
            var ofClass = new LinkedHashMap<String, AgentClass>();
            state.bindings().classes().forEach(each -> ofClass.put(each.name(), each));
            classes = Collections.unmodifiableMap(ofClass);
            var ofBinding = new LinkedHashMap<String, QueueBinding>();
            state.bindings().all().forEach(each -> ofBinding.put(each.name(), each));
            bindings = Collections.unmodifiableMap(ofBinding);
            bindingsChanged = false;
        }
        if (forecastsChanged) {
            forecasts = state.carbon().all();
            forecastsChanged = false;
        }
        return new PoolsView(rows, models, classes, bindings, state.models().use(), forecasts);
    }

    private static Map<String, ModelRow> models(ClusterState state) {
        var all = new LinkedHashMap<String, ModelRow>();
        for (ModelSpec model : state.models().declared()) {
            all.put(
                    model.name(),
                    new ModelRow(
                            model,
                            Collections.unmodifiableMap(
                                    new LinkedHashMap<>(state.models().nodes(model.name())))));
        }
        return Collections.unmodifiableMap(all);
    }
}
