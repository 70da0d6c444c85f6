package io.gpusched.demo;

/// What one simulated task does with one GPU of its machine. Everything follows from the number of
/// its job and the time, so that the same demo shows the same figures.
///
///     utilisation   a level of 55 to 95 percent for each job, in waves of 20 to 50 seconds
///     memory        35 to 92 percent for each job
///
/// @param part of the GPU that the task holds, from 0 to 1
/// @param idle whether the task leaves the GPU idle
record TaskLoad(int gpu, long job, double part, boolean idle) {
    private static final double WAVE = 0.08;
    private static final double IDLE_MEMORY = 0.3;

    /// The share of the GPU's time that the task uses, from 0 to 1.
    ///
    /// @param seconds on the machine's clock
    double load(double seconds) {
        if (idle) {
            return 0;
        }
        double level = 0.55 + 0.4 * spread(1);
        double period = 20 + 30 * spread(2);
        double phase = 2 * Math.PI * (seconds / period + spread(3) + gpu * 0.03);
        return part * Math.clamp(level + WAVE * StrictMath.sin(phase), 0.05, 1);
    }

    /// The share of the GPU's memory that the task uses, from 0 to 1.
    double memory() {
        return part * (idle ? IDLE_MEMORY : 0.35 + 0.57 * spread(4));
    }

    /// A number from 0 to 1 that differs from job to job and looks random.
    private double spread(int kind) {
        long mixed = (job * 31 + kind) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 29;
        mixed *= 0xBF58476D1CE4E5B9L;
        return (mixed >>> 11) / (double) (1L << 53);
    }
}
