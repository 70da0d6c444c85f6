package io.gpusched.server.alert;

/// What a condition found about one subject.
///
/// @param message what is wrong, with the value and the threshold
/// @param remedy what to do, with a command
public record Finding(
        AlertSubject subject,
        Level level,
        Severity severity,
        double value,
        double threshold,
        String message,
        String remedy) {

    /// Where a value stands. Between the threshold and the level at which an alert may resolve, a
    /// firing alert goes on and a new one does not begin, so that a value that swings around the
    /// threshold gives one alert.
    public enum Level {
        CLEAR,
        NEAR,
        EXCEEDED;

        private static final double BAND = 0.1;

        /// For a value that must not be above the threshold.
        static Level above(double value, double threshold) {
            if (value > threshold) {
                return EXCEEDED;
            }
            return value > threshold * (1 - BAND) ? NEAR : CLEAR;
        }

        /// For a value that must not be below the threshold.
        static Level below(double value, double threshold) {
            if (value < threshold) {
                return EXCEEDED;
            }
            return value < threshold * (1 + BAND) ? NEAR : CLEAR;
        }

        /// For a condition that holds or does not.
        static Level when(boolean holds) {
            return holds ? EXCEEDED : CLEAR;
        }
    }
}
