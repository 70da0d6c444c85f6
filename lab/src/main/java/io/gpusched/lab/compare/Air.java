package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Intensity;
import io.gpusched.sim.trace.IntensityReader;

import java.nio.file.Path;

/// What a kilowatt-hour stands for, and a print of where that is from.
public record Air(Intensity intensity, String print) {
    public static Air constant(double gramsPerKwh) {
        return new Air(Intensity.constant(gramsPerKwh), "constant " + gramsPerKwh);
    }

    /// Reads a curve.
    public static Air read(Path file) {
        return of(IntensityReader.read(file));
    }

    /// A curve that a scenario names.
    public static Air of(Intensity curve) {
        return new Air(curve, Prints.of(curve.toString()));
    }
}
