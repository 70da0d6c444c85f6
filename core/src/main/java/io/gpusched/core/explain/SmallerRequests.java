package io.gpusched.core.explain;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Toleration;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.filter.NodeRequirements;
import io.gpusched.core.state.ClusterState;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Tries smaller variants of a request, each with one change. In a job of several roles it changes
/// the largest role, and names it.
final class SmallerRequests {
    private static final int MOST_MODELS = 2;

    /// Not every program can be spread: less wanted than a label less, more than half the GPUs.
    private static final double SPREADING = 0.4;

    private final ChangeSearch changeSearch;
    private final ClusterState state;
    private final JobSpec spec;
    private final int number;
    private final Role role;
    private final Shape shape;
    private final String each;

    SmallerRequests(ChangeSearch changeSearch, ClusterState state, JobSpec spec) {
        this.changeSearch = changeSearch;
        this.state = state;
        this.spec = spec;
        this.number = largest(spec.roles());
        this.role = spec.roles().get(number);
        this.shape = role.shape();
        this.each =
                (spec.roles().size() > 1 ? " of role " + role.name() : "")
                        + (spec.tasks() > 1 ? " per task" : "");
    }

    private static int largest(List<Role> roles) {
        int largest = 0;
        for (int at = 1; at < roles.size(); at++) {
            if (milliGpus(roles.get(at)) > milliGpus(roles.get(largest))) {
                largest = at;
            }
        }
        return largest;
    }

    private static long milliGpus(Role role) {
        return role.shape().gpus().milliGpus() * role.min();
    }

    void tryAll() {
        fewerGpus();
        fewerTasks();
        smallerTasks();
        looserLinks();
        looserNear();
        lessGpuMemory();
        otherModels();
        withoutLabels();
        withoutRequirements();
        tolerating();
        lessHost();
        shorter();
    }

    private JobSpec with(Role changed) {
        var roles = new ArrayList<>(spec.roles());
        roles.set(number, changed);
        return spec.withRoles(roles);
    }

    private JobSpec with(Shape changed) {
        return with(new Role(role.name(), changed, role.min(), role.max()));
    }

    private JobSpec with(GpuRequest gpus) {
        return with(shape.withGpus(gpus));
    }

    private JobSpec with(Resources host) {
        return with(shape.withHost(host));
    }

    private static ChangeSearch.Words fewer(String field, long from, long to, String what) {
        return new ChangeSearch.Words(
                field,
                Long.toString(from),
                Long.toString(to),
                to + " " + (to == 1 ? singular(what) : what) + " instead of " + from,
                (from - to) / (double) from);
    }

    /// The same of what requests name for all tasks together, and people think of per task.
    private ChangeSearch.Words fewerEach(String field, long from, long to, String what) {
        ChangeSearch.Words words = fewer(field, from, to, what + each);
        return new ChangeSearch.Words(
                field,
                Long.toString(from * role.min()),
                Long.toString(to * role.min()),
                words.words(),
                words.size());
    }

    /// `GPUs per task` for one is `GPU per task`.
    private static String singular(String what) {
        for (String many : List.of("GPUs", "tasks", "slices", "cores")) {
            int at = what.indexOf(many);
            if (at >= 0) {
                int end = at + many.length();
                return what.substring(0, end - 1) + what.substring(end);
            }
        }
        return what;
    }

    private void fewerGpus() {
        switch (shape.gpus()) {
            case GpuRequest.None none -> {}
            case GpuRequest.Whole w ->
                    changeSearch.most(
                            1,
                            w.count() - 1,
                            n ->
                                    with(
                                            new GpuRequest.Whole(
                                                    n,
                                                    w.memoryMiB(),
                                                    w.locality(),
                                                    w.minBandwidth())),
                            n -> fewerEach("gpu_count", w.count(), n, "GPUs"));
            case GpuRequest.Slice s ->
                    changeSearch.most(
                            1,
                            s.count() - 1,
                            n -> with(new GpuRequest.Slice(s.profile(), n)),
                            n -> fewerEach("gpu_count", s.count(), n, "slices " + s.profile()));
            case GpuRequest.Share s -> {
                changeSearch.most(
                        1,
                        s.count() - 1,
                        n -> with(new GpuRequest.Share(s.milli(), s.memoryMiB(), n)),
                        n -> fewerEach("gpu_count", s.count(), n, "shared GPUs"));
                changeSearch.most(
                        1,
                        (s.milli() - 1) / 10,
                        n -> with(new GpuRequest.Share(n * 10, s.memoryMiB(), s.count())),
                        n -> fewer("gpu_share", s.milli() / 10, n, "% of a GPU" + each));
            }
        }
    }

    private void fewerTasks() {
        changeSearch.most(
                1,
                role.min() - 1,
                n -> with(new Role(role.name(), shape, n, Math.max(n, role.max()))),
                n ->
                        fewer(
                                "tasks",
                                role.min(),
                                n,
                                "tasks" + (spec.roles().size() > 1 ? each : "")));
    }

    /// The same GPUs in more tasks, the fewest that would do.
    private void smallerTasks() {
        for (Role cut : spec.roles().size() == 1 ? role.cuts() : List.<Role>of()) {
            long each = cut.shape().gpus().milliGpus() / 1000;
            var words =
                    new ChangeSearch.Words(
                            "tasks",
                            Integer.toString(role.min()),
                            Integer.toString(cut.min()),
                            "a gang of " + cut.min() + " tasks of " + Plurals.of(each, "GPU"),
                            SPREADING);
            if (changeSearch.attempt(with(cut), words)) {
                return;
            }
        }
    }

    private void looserLinks() {
        if (shape.gpus() instanceof GpuRequest.Whole w
                && (w.locality() != Locality.ANY || w.minBandwidth() > 0)) {
            changeSearch.attempt(
                    with(new GpuRequest.Whole(w.count(), w.memoryMiB(), Locality.ANY, 0)),
                    new ChangeSearch.Words(
                            "locality",
                            w.locality().name(),
                            Locality.ANY.name(),
                            "GPUs of a node however they are connected",
                            0.3));
        }
    }

    private void looserNear() {
        var required = new ArrayList<Proximity>(spec.near());
        required.removeIf(proximity -> !proximity.required());
        if (required.isEmpty()) {
            return;
        }
        var wishes = new ArrayList<Proximity>();
        spec.near().forEach(proximity -> wishes.add(new Proximity(proximity.level(), false)));
        String levels = String.join(", ", required.stream().map(Proximity::level).toList());
        changeSearch.attempt(
                spec.withNear(wishes),
                new ChangeSearch.Words(
                        "near", levels, "", "tasks not bound to one " + levels, 0.3));
    }

    private void lessGpuMemory() {
        int asked = shape.gpus().memoryMiBEach();
        var sizes = new TreeSet<Integer>();
        forEachSample(
                node -> {
                    for (Gpu gpu : node.facts().gpus()) {
                        if (gpu.memoryMiB() < asked) {
                            sizes.add(gpu.memoryMiB());
                        }
                    }
                });
        for (int size : sizes.descendingSet()) {
            GpuRequest less =
                    switch (shape.gpus()) {
                        case GpuRequest.None none -> none;
                        case GpuRequest.Slice slice -> slice;
                        case GpuRequest.Whole w ->
                                new GpuRequest.Whole(
                                        w.count(), size, w.locality(), w.minBandwidth());
                        case GpuRequest.Share s -> new GpuRequest.Share(s.milli(), size, s.count());
                    };
            if (changeSearch.attempt(
                    with(less), fewer("gpu_memory_mb", asked, size, "MB on each GPU"))) {
                return;
            }
        }
    }

    private void otherModels() {
        if (shape.models().isEmpty()) {
            return;
        }
        var others = new TreeMap<String, GpuModel>();
        forEachSample(
                node -> {
                    for (Gpu gpu : node.facts().gpus()) {
                        if (!shape.acceptsModel(gpu.model())) {
                            others.put(gpu.model().toString(), gpu.model());
                        }
                    }
                });
        int told = 0;
        for (GpuModel model : others.values()) {
            var models = List.of(model);
            told +=
                    changeSearch.attempt(
                                    with(shape.withModels(models)),
                                    new ChangeSearch.Words(
                                            "gpu_model",
                                            shape.models().toString(),
                                            model.toString(),
                                            "GPU model " + model,
                                            0.25))
                            ? 1
                            : 0;
            if (told == MOST_MODELS) {
                return;
            }
        }
    }

    private void withoutLabels() {
        boolean any = false;
        for (var pair : shape.nodes().entries().entrySet()) {
            var fewer = new TreeMap<>(shape.nodes().entries());
            fewer.remove(pair.getKey());
            any |= withLabels(new Labels(fewer), pair.getKey() + "=" + pair.getValue(), 0.3);
        }
        if (!any && shape.nodes().entries().size() > 1) {
            withLabels(Labels.NONE, "any of its labels", 0.6);
        }
    }

    private boolean withLabels(Labels labels, String without, double size) {
        return changeSearch.attempt(
                with(shape.onNodes(labels)),
                new ChangeSearch.Words(
                        "node_selector",
                        shape.nodes().toString(),
                        labels.toString(),
                        "nodes not selected by " + without,
                        size));
    }

    private void withoutRequirements() {
        if (!shape.requires().isEmpty()) {
            changeSearch.attempt(
                    with(shape.requiring(NodeAlternatives.NONE)),
                    new ChangeSearch.Words(
                            "node_requirements",
                            shape.requires().words(),
                            "",
                            "nodes without " + NodeRequirements.words(shape.requires()),
                            0.6));
        }
    }

    /// One taint more that is tolerated.
    private void tolerating() {
        Set<Taint> taints = new LinkedHashSet<>();
        forEachSample(
                node -> {
                    for (Taint taint : node.facts().taints()) {
                        if (shape.tolerates().stream().noneMatch(t -> t.covers(taint))) {
                            taints.add(taint);
                        }
                    }
                });
        for (Taint taint : taints) {
            var more = new ArrayList<>(shape.tolerates());
            more.add(new Toleration(taint.key(), false, taint.value(), taint.effect()));
            String written = taint.key() + "=" + taint.value();
            changeSearch.attempt(
                    with(shape.tolerating(more)),
                    new ChangeSearch.Words(
                            "tolerations", "", written, "tolerating the taint " + written, 0.3));
        }
    }

    private void lessHost() {
        Resources host = shape.host();
        int cores = (int) Math.min(Integer.MAX_VALUE, host.milliCpu() / 1000);
        changeSearch.most(
                0,
                cores - 1,
                n -> with(new Resources(n * 1000L, host.memoryMiB())),
                n -> fewerEach("cpu_cores", cores, n, "CPU cores"));
        int gibibytes = (int) Math.min(Integer.MAX_VALUE, host.memoryMiB() / 1024);
        changeSearch.most(
                0,
                gibibytes - 1,
                n -> with(new Resources(host.milliCpu(), n * 1024L)),
                n -> fewerEach("memory_mb", host.memoryMiB(), n * 1024L, "MB of memory"));
    }

    /// A job that is sure to be over before a reservation begins may go first.
    private void shorter() {
        int minutes = (int) Math.min(Integer.MAX_VALUE, spec.limit().toMinutes());
        boolean reserved =
                state.claims().stream().anyMatch(c -> c.kind() == Claim.Kind.RESERVATION);
        if (reserved) {
            changeSearch.most(
                    1,
                    (minutes == 0 ? 24 * 60 : minutes) - 1,
                    n -> limited(n),
                    n ->
                            new ChangeSearch.Words(
                                    "max_runtime_minutes",
                                    Integer.toString(minutes),
                                    Integer.toString(n),
                                    "a time limit of " + Plurals.of(n, "minute"),
                                    minutes == 0 ? 0.2 : (minutes - n) / (double) minutes));
        }
    }

    private JobSpec limited(int minutes) {
        return spec.withLimit(Duration.ofMinutes(minutes));
    }

    private interface Visitor {
        void visit(NodeView node);
    }

    /// Visits one node of every kind.
    private void forEachSample(Visitor visitor) {
        NodeIndex index = state.nodes().index();
        for (int group = 0; group < index.groups(); group++) {
            visitor.visit(index.sample(group));
        }
    }
}
