package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Everything that the placement of one task may depend on. Equal shapes get equal answers, so a
/// cycle does not try a refused shape twice.
///
/// An empty list of models means any model; `nodes` are labels a node must carry.
///
/// @param avoids nodes that refused to start the job; added by the scheduler, never by a user
/// @param excludes nodes that carry all labels of one of these are not used; added by the
///        scheduler, for example to keep a job off spot capacity
public record Shape(
        GpuRequest gpus,
        Resources host,
        List<GpuModel> models,
        Labels nodes,
        List<Toleration> tolerates,
        List<Avoidance> avoids,
        List<Labels> excludes) {
    public Shape {
        models = List.copyOf(models);
        tolerates = List.copyOf(tolerates);
        avoids = List.copyOf(avoids);
        excludes = List.copyOf(excludes);
        for (Labels each : excludes) {
            Check.that(!each.isEmpty(), "an exclusion without labels would exclude every node");
        }
    }

    /// A shape as users request it: no node is avoided or excluded.
    public Shape(
            GpuRequest gpus,
            Resources host,
            List<GpuModel> models,
            Labels nodes,
            List<Toleration> tolerates) {
        this(gpus, host, models, nodes, tolerates, List.of(), List.of());
    }

    public static Shape of(GpuRequest gpus, Resources host) {
        return new Shape(gpus, host, List.of(), Labels.NONE, List.of());
    }

    public Shape with(GpuRequest other) {
        return new Shape(other, host, models, nodes, tolerates, avoids, excludes);
    }

    public Shape with(Resources other) {
        return new Shape(gpus, other, models, nodes, tolerates, avoids, excludes);
    }

    public Shape withModels(List<GpuModel> others) {
        return new Shape(gpus, host, others, nodes, tolerates, avoids, excludes);
    }

    public Shape withNodes(Labels others) {
        return new Shape(gpus, host, models, others, tolerates, avoids, excludes);
    }

    public Shape tolerating(List<Toleration> others) {
        return new Shape(gpus, host, models, nodes, others, avoids, excludes);
    }

    public Shape avoiding(List<Avoidance> others) {
        return new Shape(gpus, host, models, nodes, tolerates, others, excludes);
    }

    public Shape excluding(List<Labels> others) {
        return new Shape(gpus, host, models, nodes, tolerates, avoids, others);
    }

    /// Whether the labels of a node are those that the task selects, and none that it excludes.
    public boolean acceptsLabels(Labels labels) {
        return labels.containAll(nodes) && excludedBy(labels) == null;
    }

    /// The exclusion that labels of a node match; null when none does.
    public @Nullable Labels excludedBy(Labels labels) {
        for (Labels each : excludes) {
            if (labels.containAll(each)) {
                return each;
            }
        }
        return null;
    }

    /// Whether the answer depends on labels of nodes.
    public boolean looksAtLabels() {
        return !nodes.isEmpty() || !excludes.isEmpty();
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
