package io.gpusched.rl.ppo;

/// How the learning rate changes over a training run.
public enum RateSchedule {
    CONSTANT {
        @Override
        double at(double rate, double end, double progress) {
            return rate;
        }
    },
    /// Falls evenly to 0.
    LINEAR {
        @Override
        double at(double rate, double end, double progress) {
            return rate * Math.clamp(1 - progress, 0, 1);
        }
    },
    /// Falls by equal factors, to `end` times the first rate.
    EXPONENTIAL {
        @Override
        double at(double rate, double end, double progress) {
            return rate * StrictMath.pow(end, progress);
        }
    };

    /// @param progress the part of the run that is done, 0 to 1
    abstract double at(double rate, double end, double progress);
}
