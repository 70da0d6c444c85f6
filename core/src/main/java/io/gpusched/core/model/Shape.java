package io.gpusched.core.model;

import java.util.List;

/// Everything that the placement of one task may depend on. Equal shapes get equal answers, so a
/// cycle does not try a refused shape twice.
///
/// An empty list of models means any model; `nodes` are labels a node must carry.
///
/// @param avoids nodes that refused to start the job; added by the scheduler, never by a user
/// @param capacity on which capacity a job with a deadline may run now; set by the scheduler
public record Shape(
        GpuRequest gpus,
        Resources host,
        List<GpuModel> models,
        Labels nodes,
        List<Toleration> tolerates,
        List<Avoidance> avoids,
        CapacityRule capacity) {
    public Shape {
        models = List.copyOf(models);
        tolerates = List.copyOf(tolerates);
        avoids = List.copyOf(avoids);
    }

    /// A shape as users request it: no node is avoided.
    public Shape(
            GpuRequest gpus,
            Resources host,
            List<GpuModel> models,
            Labels nodes,
            List<Toleration> tolerates) {
        this(gpus, host, models, nodes, tolerates, List.of(), CapacityRule.ANY);
    }

    public static Shape of(GpuRequest gpus, Resources host) {
        return new Shape(gpus, host, List.of(), Labels.NONE, List.of());
    }

    public Shape avoiding(List<Avoidance> others) {
        return new Shape(gpus, host, models, nodes, tolerates, others, capacity);
    }

    Shape on(CapacityRule other) {
        return new Shape(gpus, host, models, nodes, tolerates, avoids, other);
    }

    public boolean acceptsModel(GpuModel model) {
        if (models.isEmpty()) {
            return true;
        }
        for (GpuModel wanted : models) {
            if (wanted.accepts(model)) {
                return true;
            }
        }
        return false;
    }
}
