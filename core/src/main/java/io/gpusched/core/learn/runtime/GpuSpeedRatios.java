package io.gpusched.core.learn.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// How much longer work takes on one GPU model than on another, learned from kinds that ran on
/// both. It translates runtimes to a GPU model on which a kind has not run yet.
final class GpuSpeedRatios {
    private static final int MOST = 256;

    /// The initial assumption: GPU models differ by a factor of e, up or down.
    private static final double ASSUMED = 1;

    /// The least variance: kinds really do differ in how much a GPU model speeds them up.
    private static final double FLOOR = 0.01;

    /// The variance of one run against the kind elsewhere, besides its own spread.
    private static final double PARTICULAR = 0.05;

    /// @param later by how much the logarithm is larger than on a typical GPU model
    record Speed(double later, double variance) {
        static final Speed UNKNOWN = new Speed(0, ASSUMED);
    }

    private final SequencedMap<String, Speed> speeds = new LinkedHashMap<>();

    Speed of(String gpu) {
        return speeds.getOrDefault(gpu, Speed.UNKNOWN);
    }

    /// By how much the logarithm of a runtime is larger on `to` than on `from`.
    double shift(String from, String to) {
        return from.equals(to) ? 0 : of(to).later() - of(from).later();
    }

    double variance(String from, String to) {
        return from.equals(to) ? 0 : of(from).variance() + of(to).variance();
    }

    /// Learns that a run on `gpu` took longer by `difference` than the kind takes on `other`.
    void compared(String gpu, String other, double difference, double variance) {
        Speed here = of(gpu);
        Speed there = of(other);
        double off = Math.clamp(difference - (here.later() - there.later()), -3, 3);
        double noise = here.variance() + there.variance() + variance + PARTICULAR;
        put(gpu, here, off / noise, noise);
        put(other, there, -off / noise, noise);
    }

    private void put(String gpu, Speed before, double gain, double noise) {
        double variance = before.variance() * (1 - before.variance() / noise);
        speeds.putLast(
                gpu,
                new Speed(before.later() + before.variance() * gain, Math.max(FLOOR, variance)));
        if (speeds.size() > MOST) {
            speeds.pollFirstEntry();
        }
    }

    List<ModelImage.Speed> image() {
        return speeds.entrySet().stream()
                .map(
                        each ->
                                new ModelImage.Speed(
                                        each.getKey(),
                                        each.getValue().later(),
                                        each.getValue().variance()))
                .toList();
    }

    void restore(List<ModelImage.Speed> image) {
        speeds.clear();
        image.forEach(each -> speeds.put(each.gpu(), new Speed(each.later(), each.variance())));
    }
}
