package io.gpusched.sim.whatif;

import io.gpusched.core.model.GpuModel;

import java.util.Map;

/// How much a GPU draws while a job holds it: the board power of its data sheet. What it draws when
/// nobody holds it is the same under every policy over the same time and is left out, so a
/// difference in energy is a difference in GPU hours held, weighed by the kind of GPU.
final class Power {
    private static final double USUAL_WATTS = 300;

    private static final Map<String, Double> WATTS =
            Map.ofEntries(
                    Map.entry("K80", 300.0),
                    Map.entry("P4", 75.0),
                    Map.entry("P40", 250.0),
                    Map.entry("P100", 300.0),
                    Map.entry("V100", 300.0),
                    Map.entry("T4", 70.0),
                    Map.entry("A2", 60.0),
                    Map.entry("A10", 150.0),
                    Map.entry("A10G", 300.0),
                    Map.entry("A30", 165.0),
                    Map.entry("A40", 300.0),
                    Map.entry("A100", 400.0),
                    Map.entry("A800", 400.0),
                    Map.entry("L4", 72.0),
                    Map.entry("L40", 300.0),
                    Map.entry("L40S", 350.0),
                    Map.entry("H20", 400.0),
                    Map.entry("H100", 700.0),
                    Map.entry("H200", 700.0),
                    Map.entry("H800", 700.0),
                    Map.entry("B200", 1000.0));

    private Power() {}

    static double watts(GpuModel model) {
        return WATTS.getOrDefault(model.family(), USUAL_WATTS);
    }
}
