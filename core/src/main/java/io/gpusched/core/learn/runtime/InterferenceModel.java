package io.gpusched.core.learn.runtime;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/// How much longer work takes beside a neighbour, for each kind, neighbour and GPU model. The
/// effect on the neighbour is a figure of its own. Several neighbours add up in the logarithm.
///
/// Every pair is a small Kalman filter of how much longer runs took than the kind is expected to
/// take alone. When that expectation improves, the figures compared with it are shifted. The effect
/// of a neighbour over all GPU models is kept too; it is the prior of a pair on a GPU model on
/// which the two never met.
final class InterferenceModel {
    private static final int MOST = 1 << 14;

    /// The initial variance of a slowdown: a factor of 1.6.
    private static final double ASSUMED = 0.25;

    /// The initial variance where the slowdown is known from other GPU models.
    private static final double ELSEWHERE = 0.04;

    /// The last run weighs at least one in this many, so that a pair may change.
    private static final double LONGEST = 100;

    private static final double FAR = 1.5;

    /// The name for all GPU models together; no GPU model has an empty name.
    private static final String ANY = "";

    private record Key(String kind, String neighbour, String gpu) {
        Profile.Key work() {
            return new Profile.Key(kind, gpu);
        }
    }

    private final SequencedMap<Key, Slowdown> pairs = new LinkedHashMap<>();

    /// The pairs of each kind on each GPU model.
    private final Map<Profile.Key, Set<Key>> byWork = new LinkedHashMap<>();

    Slowdown of(String kind, String neighbour, String gpu) {
        Slowdown known = pairs.get(new Key(kind, neighbour, gpu));
        if (known != null) {
            return known;
        }
        Slowdown anywhere = pairs.get(new Key(kind, neighbour, ANY));
        return anywhere == null
                ? new Slowdown(0, ASSUMED, 0)
                : new Slowdown(anywhere.later(), anywhere.variance() + ELSEWHERE, 0);
    }

    /// The combined effect of all these neighbours; `runs` is that of the least known pair.
    Slowdown together(String kind, List<String> neighbours, String gpu) {
        double later = 0;
        double variance = 0;
        long runs = neighbours.isEmpty() ? 0 : Long.MAX_VALUE;
        for (String neighbour : neighbours) {
            Slowdown one = of(kind, neighbour, gpu);
            later += one.later();
            variance += one.variance();
            runs = Math.min(runs, one.runs());
        }
        return new Slowdown(later, variance, runs);
    }

    /// Learns from a run beside them that took longer by `later` than alone, where single runs have
    /// the variance `noise`.
    void ended(String kind, List<String> neighbours, String gpu, double later, double noise) {
        learn(kind, neighbours, gpu, later, noise);
        learn(kind, neighbours, ANY, later, noise);
    }

    private void learn(
            String kind, List<String> neighbours, String gpu, double later, double noise) {
        Slowdown expected = together(kind, neighbours, gpu);
        double off = Math.clamp(later - expected.later(), -FAR, FAR);
        double all = expected.variance() + noise;
        for (String neighbour : neighbours) {
            Slowdown before = of(kind, neighbour, gpu);
            double gain = before.variance() / all;
            double variance = Math.max(before.variance() * (1 - gain), noise / LONGEST);
            put(
                    new Key(kind, neighbour, gpu),
                    new Slowdown(before.later() + gain * off, variance, before.runs() + 1));
        }
    }

    /// Whether any neighbour of this work is known.
    boolean isOf(Profile.Key work) {
        return byWork.containsKey(work);
    }

    /// Shifts the work's pairs: its runtime alone is now known to be longer by `longer` than the
    /// estimate with which its runs beside neighbours were compared.
    void betterKnown(Profile.Key work, double longer) {
        for (Key key : byWork.getOrDefault(work, new LinkedHashSet<>())) {
            pairs.computeIfPresent(
                    key,
                    (same, known) ->
                            new Slowdown(known.later() - longer, known.variance(), known.runs()));
        }
    }

    private void put(Key key, Slowdown slowdown) {
        pairs.putLast(key, slowdown);
        byWork.computeIfAbsent(key.work(), work -> new LinkedHashSet<>()).add(key);
        if (pairs.size() > MOST) {
            Key oldest = pairs.pollFirstEntry().getKey();
            Set<Key> others = byWork.getOrDefault(oldest.work(), new LinkedHashSet<>());
            others.remove(oldest);
            if (others.isEmpty()) {
                byWork.remove(oldest.work());
            }
        }
    }

    @Nullable Slowdown known(String kind, String neighbour, String gpu) {
        return pairs.get(new Key(kind, neighbour, gpu));
    }

    int size() {
        return pairs.size();
    }

    List<ModelImage.Pair> image() {
        return pairs.entrySet().stream()
                .map(
                        each ->
                                new ModelImage.Pair(
                                        each.getKey().kind(),
                                        each.getKey().neighbour(),
                                        each.getKey().gpu(),
                                        each.getValue().later(),
                                        each.getValue().variance(),
                                        each.getValue().runs()))
                .toList();
    }

    void restore(List<ModelImage.Pair> image) {
        for (ModelImage.Pair each : image) {
            put(
                    new Key(each.kind(), each.neighbour(), each.gpu()),
                    new Slowdown(each.later(), each.variance(), each.runs()));
        }
    }
}
