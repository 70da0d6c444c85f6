package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/// One kind of workload that can be admitted, as data: where its objects say that they are
/// suspended, how many pods of which template they make, and how they ended. Paths are JSON
/// pointers.
///
/// The versions of a group begin with the preferred one; `suspend` is the field that holds the
/// workload back; sets describe its pods; the end is how its status tells that it has ended.
enum WorkloadKind {
    JOB(
            "batch",
            List.of("v1"),
            "jobs",
            "Job",
            "/spec/suspend",
            List.of(new Sets("/spec", false, List.of("/parallelism"), "/completions", "/template")),
            End.conditions("Complete", "Failed")),
    JOB_SET(
            "jobset.x-k8s.io",
            List.of("v1alpha2"),
            "jobsets",
            "JobSet",
            "/spec/suspend",
            List.of(
                    new Sets(
                            "/spec/replicatedJobs",
                            true,
                            List.of("/replicas", "/template/spec/parallelism"),
                            "/template/spec/completions",
                            "/template/spec/template")),
            End.conditions("Completed", "Failed")),
    RAY_JOB(
            "ray.io",
            List.of("v1", "v1alpha1"),
            "rayjobs",
            "RayJob",
            "/spec/suspend",
            Sets.ofRay("/spec/rayClusterSpec"),
            new End("/status/jobStatus", List.of("SUCCEEDED"), List.of("FAILED", "STOPPED"))),
    RAY_CLUSTER(
            "ray.io",
            List.of("v1", "v1alpha1"),
            "rayclusters",
            "RayCluster",
            "/spec/suspend",
            Sets.ofRay("/spec"),
            End.conditions("", "")),
    PYTORCH_JOB(
            "kubeflow.org",
            List.of("v1"),
            "pytorchjobs",
            "PyTorchJob",
            "/spec/runPolicy/suspend",
            List.of(
                    new Sets(
                            "/spec/pytorchReplicaSpecs",
                            true,
                            List.of("/replicas"),
                            "",
                            "/template")),
            End.conditions("Succeeded", "Failed"));

    private final String group;
    private final List<String> versions;
    private final String plural;
    private final String kind;
    private final String suspend;
    private final List<Sets> sets;
    private final End end;

    WorkloadKind(
            String group,
            List<String> versions,
            String plural,
            String kind,
            String suspend,
            List<Sets> sets,
            End end) {
        this.group = group;
        this.versions = versions;
        this.plural = plural;
        this.kind = kind;
        this.suspend = suspend;
        this.sets = sets;
        this.end = end;
    }

    /// Where pod sets are. The pods of one are the product of some counts, each 1 where it is
    /// absent.
    ///
    /// @param many whether there is a list or a map of them
    /// @param most limits the last count where it is there; empty if nothing does
    private record Sets(
            String at, boolean many, List<String> counts, String most, String template) {
        static List<Sets> ofRay(String spec) {
            return List.of(
                    new Sets(spec + "/headGroupSpec", false, List.of(), "", "/template"),
                    new Sets(
                            spec + "/workerGroupSpecs",
                            true,
                            List.of("/replicas", "/numOfHosts"),
                            "",
                            "/template"));
        }

        private long count(JsonNode set) {
            long product = 1;
            for (String count : counts) {
                long factor = set.at(count).asLong(1);
                JsonNode limit = most.isEmpty() ? MissingNode.getInstance() : set.at(most);
                boolean last = count.equals(counts.getLast());
                product *= last && limit.isNumber() ? Math.min(factor, limit.asLong()) : factor;
            }
            return product;
        }
    }

    /// How the status tells the end: by a condition that is true, or by the words of a field.
    ///
    /// @param field empty for conditions
    private record End(String field, List<String> good, List<String> bad) {
        static End conditions(String good, String bad) {
            return new End("", List.of(good), List.of(bad));
        }

        private boolean tells(JsonNode object, List<String> words) {
            if (!field.isEmpty()) {
                return words.contains(object.at(field).asText());
            }
            for (JsonNode each : object.at("/status/conditions")) {
                if (words.contains(each.path("type").asText())
                        && each.path("status").asText().equals("True")) {
                    return true;
                }
            }
            return false;
        }
    }

    /// Pods of one template.
    ///
    /// @param template part of the object that was read: what changes in it changes the object
    record PodSet(long count, ObjectNode template) {}

    String group() {
        return group;
    }

    List<String> versions() {
        return versions;
    }

    String plural() {
        return plural;
    }

    String kind() {
        return kind;
    }

    boolean isSuspended(JsonNode object) {
        return object.at(suspend).asBoolean(false);
    }

    void setSuspended(ObjectNode object, boolean suspended) {
        int slash = suspend.lastIndexOf('/');
        if (object.at(suspend.substring(0, slash)) instanceof ObjectNode parent) {
            parent.put(suspend.substring(slash + 1), suspended);
        }
    }

    boolean hasSucceeded(JsonNode object) {
        return end.tells(object, end.good());
    }

    boolean hasFailed(JsonNode object) {
        return end.tells(object, end.bad());
    }

    /// The pod sets of an object, those of no pods left out.
    List<PodSet> podSets(ObjectNode object) {
        var found = new ArrayList<PodSet>();
        for (Sets each : sets) {
            JsonNode at = object.at(each.at());
            for (JsonNode set : each.many() ? at : List.of(at)) {
                long count = each.count(set);
                if (count > 0 && set.at(each.template()) instanceof ObjectNode template) {
                    found.add(new PodSet(count, template));
                }
            }
        }
        return found;
    }
}
