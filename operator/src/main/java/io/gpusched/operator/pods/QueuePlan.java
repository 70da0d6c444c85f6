package io.gpusched.operator.pods;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Which jobs the pods of one group should be, and why the others wait.
///
///     minimum 3, pods a b c d pending       →  job (a b c); d waits for the gang to start
///     minimum 3, a b c bound, d pending     →  job (d)
///     minimum 3, a bound, b pending         →  none: two more pods are needed, one is there
///
/// The minimum is a promise about the start. Pods that come after it has been reached, such as one
/// that replaces a failed pod, start on their own.
///
/// @param jobs each a list of pods in the order of ranks
/// @param reasons why a pod is in no job, by its UID
record QueuePlan(List<List<QueuedPod>> jobs, Map<PodKey, String> reasons) {
    QueuePlan {
        jobs = List.copyOf(jobs);
        reasons = Map.copyOf(reasons);
    }

    /// A pod of no group.
    static QueuePlan alone(QueuedPod pod) {
        if (pod.state() != QueuedPod.State.PENDING) {
            return new QueuePlan(List.of(), Map.of());
        }
        String obstacle = obstacle(pod);
        return obstacle.isEmpty()
                ? new QueuePlan(List.of(List.of(pod)), Map.of())
                : new QueuePlan(List.of(), Map.of(pod.key(), obstacle));
    }

    /// All pods of one group, except those that are ranks of a gang that is about to start.
    static QueuePlan group(Collection<QueuedPod> pods) {
        List<QueuedPod> pending =
                pods.stream()
                        .filter(pod -> pod.state() == QueuedPod.State.PENDING)
                        .sorted(QueuedPod.RANKS)
                        .toList();
        if (pending.isEmpty()) {
            return new QueuePlan(List.of(), Map.of());
        }
        GroupRef group = Objects.requireNonNull(pending.getFirst().group());
        String problem = problem(group, pods);
        if (!problem.isEmpty()) {
            return allWait(pending, problem);
        }
        long bound = count(pods, QueuedPod.State.BOUND);
        int needed = (int) Math.max(0, group.minimum() - bound);
        if (pending.size() < needed) {
            return allWait(pending, tooFew(group, pods, bound + pending.size()));
        }
        Map<PodKey, String> reasons = new LinkedHashMap<>();
        List<QueuedPod> gang = pending.subList(0, needed);
        List<QueuedPod> others = pending.subList(needed, pending.size());
        List<List<QueuedPod>> jobs = new ArrayList<>();
        if (!gang.isEmpty()) {
            gang(gang, group, jobs, reasons);
            others.forEach(
                    pod ->
                            reasons.put(
                                    pod.key(),
                                    "group %s starts with %d pods; this one follows when they run"
                                            .formatted(group.name(), group.minimum())));
        } else {
            for (QueuedPod pod : others) {
                QueuePlan one = alone(pod);
                jobs.addAll(one.jobs);
                reasons.putAll(one.reasons);
            }
        }
        return new QueuePlan(jobs, reasons);
    }

    private static void gang(
            List<QueuedPod> gang,
            GroupRef group,
            List<List<QueuedPod>> jobs,
            Map<PodKey, String> reasons) {
        for (QueuedPod pod : gang) {
            String obstacle = obstacle(pod);
            if (!obstacle.isEmpty()) {
                String why =
                        "group %s waits for pod %s: %s"
                                .formatted(group.name(), pod.key().name(), obstacle);
                gang.forEach(each -> reasons.put(each.key(), each.equals(pod) ? obstacle : why));
                return;
            }
        }
        jobs.add(gang);
    }

    private static String obstacle(QueuedPod pod) {
        return switch (pod.reading()) {
            case PodReading.Demand _ -> "";
            case PodReading.Waits(String why) -> why;
            case PodReading.Refused(String why) -> why;
        };
    }

    private static String problem(GroupRef group, Collection<QueuedPod> pods) {
        int living = 0;
        for (QueuedPod pod : pods) {
            if (pod.state() == QueuedPod.State.LEAVING || pod.state() == QueuedPod.State.OVER) {
                continue;
            }
            GroupRef other = Objects.requireNonNull(pod.group());
            if (!other.problem().isEmpty()) {
                return other.problem();
            }
            if (other.minimum() != group.minimum()) {
                return "pods of group %s name different sizes, %d and %d; name the same one"
                        .formatted(group.name(), group.minimum(), other.minimum());
            }
            living++;
        }
        return group.exact() && living > group.minimum()
                ? "group %s has %d pods, and its pods name a size of %d; set %s to %d, or delete pods"
                        .formatted(group.name(), living, group.minimum(), GroupReader.SIZE, living)
                : "";
    }

    private static String tooFew(GroupRef group, Collection<QueuedPod> pods, long ready) {
        long gated = count(pods, QueuedPod.State.GATED);
        return "group %s needs %d pods, and %d %s%s; create the others, or lower the minimum"
                .formatted(
                        group.name(),
                        group.minimum(),
                        ready,
                        ready == 1 ? "is there" : "are there",
                        gated == 0 ? "" : ", and " + gated + " with scheduling gates");
    }

    private static long count(Collection<QueuedPod> pods, QueuedPod.State state) {
        return pods.stream().filter(pod -> pod.state() == state).count();
    }

    private static QueuePlan allWait(List<QueuedPod> pods, String why) {
        Map<PodKey, String> reasons = new LinkedHashMap<>();
        pods.forEach(pod -> reasons.put(pod.key(), why));
        return new QueuePlan(List.of(), reasons);
    }
}
