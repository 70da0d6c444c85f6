package io.gpusched.server.forecast;

import io.gpusched.core.forecast.ForecastCalibration;
import io.gpusched.core.forecast.QueueForecast;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// What jobs were told about their start, corrected by what came of earlier promises, and how often
/// the first one came true. The old count less and less. A server that starts again goes on from an
/// [Image].
final class StartEstimates {
    private static final int MOST = 20_000;
    private static final double FADES = 0.998;

    /// What was foreseen for a job first, and what it was told.
    record First(StartEstimate foreseen, StartEstimate told, Instant at) {}

    /// Everything that is to be known at the next start.
    record Image(
            List<ForecastCalibration.Shift> shifts,
            double inside,
            double all,
            Map<JobId, First> open) {
        Image {
            shifts = List.copyOf(shifts);
            open = Map.copyOf(open);
        }
    }

    private final Map<JobId, First> open = new HashMap<>();

    /// Who started while the present round looked ahead: what it finds for them comes too late.
    private final Set<JobId> startedMeanwhile = new HashSet<>();

    private ForecastCalibration forecastCalibration = new ForecastCalibration();
    private double inside;
    private double all;
    private long version;

    synchronized Image image() {
        return new Image(forecastCalibration.image(), inside, all, open);
    }

    /// Grows with every change of the image.
    synchronized long version() {
        return version;
    }

    /// Goes on where the image was taken. What became of the jobs since is seen from the jobs
    /// themselves: who was not waited for any more at the end is not waited for now.
    ///
    /// @param jobs null for a job that is not known
    synchronized void resume(Image image, Function<JobId, @Nullable Job> jobs) {
        forecastCalibration = ForecastCalibration.restored(image.shifts);
        inside = image.inside;
        all = image.all;
        image.open.forEach(
                (id, first) -> {
                    Job job = jobs.apply(id);
                    if (job == null || first.at.isBefore(job.submitted())) {
                        return;
                    }
                    open.put(id, first);
                    switch (job.phase()) {
                        case Phase.Held held -> {}
                        case Phase.Waiting waiting -> {}
                        case Phase.Starting starting -> started(id, starting.run().placed());
                        case Phase.Running running -> started(id, running.run().placed());
                        case Phase.Stopping stopping -> open.remove(id);
                        case Phase.Ended ended -> open.remove(id);
                    }
                });
        startedMeanwhile.clear();
    }

    /// A round is about to look at who waits.
    synchronized void roundBegins() {
        startedMeanwhile.clear();
    }

    /// What to tell, where this was foreseen now. Only what a job is told first counts: later it is
    /// easy to be right.
    synchronized Map<JobId, StartEstimate> told(Map<JobId, StartEstimate> foreseen, Instant now) {
        var told = new LinkedHashMap<JobId, StartEstimate>();
        foreseen.forEach(
                (job, startEstimate) -> {
                    StartEstimate corrected = forecastCalibration.corrected(startEstimate, now);
                    told.put(job, corrected);
                    if (startEstimate.late() != null && mayBePromised(job)) {
                        open.put(job, new First(startEstimate, corrected, now));
                        version++;
                    }
                });
        return told;
    }

    /// Only what a job is told first is a promise.
    private boolean mayBePromised(JobId job) {
        return open.size() < MOST && !open.containsKey(job) && !startedMeanwhile.contains(job);
    }

    /// What to tell where this was foreseen roughly.
    synchronized StartEstimate corrected(StartEstimate foreseen, Instant now) {
        return forecastCalibration.corrected(foreseen, now);
    }

    /// Remembers what jobs may be told for whom nobody ran ahead, of as many as can be kept.
    synchronized void promise(QueueForecast line, QueueForecast.Beyond beyond, Instant now) {
        for (Job job : line.first(MOST)) {
            StartEstimate startEstimate = beyond.of(job.id());
            if (startEstimate != null && mayBePromised(job.id())) {
                open.put(
                        job.id(),
                        new First(
                                startEstimate,
                                forecastCalibration.corrected(startEstimate, now),
                                now));
                version++;
            }
        }
    }

    synchronized void started(JobId job, Instant at) {
        First first = open.remove(job);
        if (first == null) {
            if (startedMeanwhile.size() < MOST) {
                startedMeanwhile.add(job);
            }
            return;
        }
        version++;
        forecastCalibration.started(first.foreseen, first.at, at);
        Instant early = first.told.early();
        Instant late = first.told.late();
        if (early != null && late != null) {
            boolean kept = !at.isBefore(early) && !at.isAfter(late);
            inside = inside * FADES + (kept ? 1 : 0);
            all = all * FADES + 1;
        }
    }

    synchronized void gone(JobId job) {
        version += open.remove(job) == null ? 0 : 1;
    }

    /// From 0 to 1; not a number before anything has started.
    synchronized double coverage() {
        return all == 0 ? Double.NaN : inside / all;
    }

    /// How many starts the coverage is based on; older ones count less.
    synchronized double judged() {
        return all;
    }
}
