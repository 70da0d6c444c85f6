package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.LearnedRuns;

/// Detects that work has changed, by Page's test: it sums how far runs deviate from the whole
/// history, in both directions, less what chance explains. Two lucky runs do not matter; ten runs
/// twice as long as before are a change, and it began where the sum left zero.
final class DriftDetector {
    /// In standard deviations: what chance explains, and the most that one run counts.
    private static final double SLACK = 0.5;

    private static final double FAR = 2;

    /// The sum at which a change is detected: by chance less than once in ten thousand runs.
    private static final double ALARM = 10;

    private double up;
    private double down;
    private long upSince;
    private long downSince;

    /// When the present behaviour began, in microseconds; at first, the first run.
    private long since = Long.MIN_VALUE;

    private long changes;
    private long lastNoticed;

    /// Adds a run that started at `start` and deviated by this many standard deviations; returns
    /// whether that makes a change.
    boolean ended(double deviations, long start, long now) {
        double off = Double.isNaN(deviations) ? 0 : Math.clamp(deviations, -FAR, FAR);
        upSince = up == 0 ? start : Math.min(upSince, start);
        downSince = down == 0 ? start : Math.min(downSince, start);
        up = Math.max(0, up + off - SLACK);
        down = Math.max(0, down - off - SLACK);
        if (Math.max(up, down) < ALARM) {
            return false;
        }
        since = up >= down ? upSince : downSince;
        up = 0;
        down = 0;
        changes++;
        lastNoticed = now;
        return true;
    }

    /// Whether a run that began then is from before the last change.
    boolean isBefore(long start) {
        return start < since;
    }

    long changes() {
        return changes;
    }

    long lastNoticed() {
        return lastNoticed;
    }

    ModelImage.Drifting image() {
        return new ModelImage.Drifting(up, down, upSince, downSince, since, changes, lastNoticed);
    }

    /// A detector with the changes that another scheduler exported.
    static DriftDetector known(LearnedRuns.Drift imported) {
        var driftDetector = new DriftDetector();
        driftDetector.since = RuntimeModel.micros(imported.since());
        driftDetector.changes = imported.changes();
        driftDetector.lastNoticed = RuntimeModel.micros(imported.noticed());
        return driftDetector;
    }

    static DriftDetector restored(ModelImage.Drifting image) {
        var driftDetector = new DriftDetector();
        driftDetector.up = image.up();
        driftDetector.down = image.down();
        driftDetector.upSince = image.upSince();
        driftDetector.downSince = image.downSince();
        driftDetector.since = image.since();
        driftDetector.changes = image.changes();
        driftDetector.lastNoticed = image.lastNoticed();
        return driftDetector;
    }
}
