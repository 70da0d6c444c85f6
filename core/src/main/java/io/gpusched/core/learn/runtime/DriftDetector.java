package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.LearnedRuns;

/// Notices that work has changed: adds up how far runs are from where all that is remembered puts
/// them, in both directions, less what chance explains (Page's test). Two lucky runs are nothing;
/// ten runs twice as long as ever are a change, and it began where the sum left zero.
final class DriftDetector {
    /// In standard deviations: what chance explains, and what one run can say at most.
    private static final double SLACK = 0.5;

    private static final double FAR = 2;

    /// At so much a change is called: by chance less than once in ten thousand runs.
    private static final double ALARM = 10;

    private double up;
    private double down;
    private long upSince;
    private long downSince;

    /// Where the present way of working began, in microseconds; the first run ever, at first.
    private long since = Long.MIN_VALUE;

    private long changes;
    private long lastNoticed;

    /// A run that began then ended so many standard deviations off; whether that makes a change.
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

    /// Whether a run that began then is of an earlier way of working.
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

    /// As it was told elsewhere.
    static DriftDetector known(LearnedRuns.Drift told) {
        var driftDetector = new DriftDetector();
        driftDetector.since = RuntimeModel.micros(told.since());
        driftDetector.changes = told.changes();
        driftDetector.lastNoticed = RuntimeModel.micros(told.noticed());
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
