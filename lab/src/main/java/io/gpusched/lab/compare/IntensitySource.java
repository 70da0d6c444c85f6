package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.GridIntensity;
import io.gpusched.sim.trace.IntensityReader;

import java.nio.file.Path;

/// The carbon intensity of electricity, and a fingerprint of its source.
public record IntensitySource(GridIntensity gridIntensity, String print) {
    public static IntensitySource constant(double gramsPerKwh) {
        return new IntensitySource(GridIntensity.constant(gramsPerKwh), "constant " + gramsPerKwh);
    }

    /// Reads a curve.
    public static IntensitySource read(Path file) {
        return of(IntensityReader.read(file));
    }

    /// A curve that a scenario names.
    public static IntensitySource of(GridIntensity curve) {
        return new IntensitySource(curve, Fingerprints.of(curve.toString()));
    }
}
