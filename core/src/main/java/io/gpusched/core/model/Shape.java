package io.gpusched.core.model;

import java.util.List;

/// Everything that the placement of one task may depend on. Equal shapes get equal answers, so a
/// cycle does not try a refused shape twice.
///
/// An empty list of models means any model; `nodes` are labels a node must carry.
///
/// @param requires requirements on the labels of a node beyond `nodes`
/// @param avoids nodes that refused to start the job; added by the scheduler, never by a user
/// @param capacity on which capacity a job with a deadline may run now; set by the scheduler
public record Shape(
        GpuRequest gpus,
        Resources host,
        List<GpuModel> models,
        Labels nodes,
        NodeAlternatives requires,
        List<Toleration> tolerates,
        List<Avoidance> avoids,
        CapacityRule capacity) {
    public Shape {
        models = List.copyOf(models);
        tolerates = List.copyOf(tolerates);
        avoids = List.copyOf(avoids);
    }

    /// A shape as users request it, without further requirements: no node is avoided.
    public Shape(
            GpuRequest gpus,
            Resources host,
            List<GpuModel> models,
            Labels nodes,
            List<Toleration> tolerates) {
        this(
                gpus,
                host,
                models,
                nodes,
                NodeAlternatives.NONE,
                tolerates,
                List.of(),
                CapacityRule.ANY);
    }

    public static Shape of(GpuRequest gpus, Resources host) {
        return new Shape(gpus, host, List.of(), Labels.NONE, List.of());
    }

    public Shape withGpus(GpuRequest other) {
        return new Shape(other, host, models, nodes, requires, tolerates, avoids, capacity);
    }

    public Shape withHost(Resources other) {
        return new Shape(gpus, other, models, nodes, requires, tolerates, avoids, capacity);
    }

    public Shape withModels(List<GpuModel> others) {
        return new Shape(gpus, host, others, nodes, requires, tolerates, avoids, capacity);
    }

    /// The same on nodes with other labels.
    public Shape onNodes(Labels others) {
        return new Shape(gpus, host, models, others, requires, tolerates, avoids, capacity);
    }

    /// The same with other requirements on the labels of nodes.
    public Shape requiring(NodeAlternatives others) {
        return new Shape(gpus, host, models, nodes, others, tolerates, avoids, capacity);
    }

    /// The same with other tolerations.
    public Shape tolerating(List<Toleration> others) {
        return new Shape(gpus, host, models, nodes, requires, others, avoids, capacity);
    }

    public Shape avoiding(List<Avoidance> others) {
        return new Shape(gpus, host, models, nodes, requires, tolerates, others, capacity);
    }

    Shape on(CapacityRule other) {
        return new Shape(gpus, host, models, nodes, requires, tolerates, avoids, other);
    }

    /// Whether it chooses nodes by their labels.
    public boolean selectsNodes() {
        return !nodes.isEmpty() || !requires.isEmpty();
    }

    /// Whether a node with these labels is one that it chooses.
    public boolean selects(Labels labels) {
        return labels.containAll(nodes) && requires.accept(labels);
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
