package io.gpusched.server;

import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.ScoreView;
import io.gpusched.server.alert.AlertBook;
import io.gpusched.server.alert.AlertConditions;
import io.gpusched.server.alert.AlertFile;
import io.gpusched.server.alert.AlertMeters;
import io.gpusched.server.alert.AlertPicture;
import io.gpusched.server.alert.AlertWatch;
import io.gpusched.server.alert.FragmentedCapacity;
import io.gpusched.server.alert.QueueAges;
import io.gpusched.server.config.AlertsSection;
import io.gpusched.server.forecast.StartForecaster;
import io.gpusched.server.learn.ScoreService;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;

import java.time.Instant;
import java.util.function.Supplier;

/// Makes the watch for alerts from the other parts of a server.
final class AlertSetup {
    private static final double NANOS = 1e9;

    private final ServerContext context;
    private final Stores stores;
    private final BatchListeners listeners;
    private final Supplier<View> views;
    private final LatestReadings readings;

    AlertSetup(ServerContext context, Stores stores, BatchListeners listeners, CellParts cell) {
        this.context = context;
        this.stores = stores;
        this.listeners = listeners;
        this.views = cell.follower::view;
        this.readings = new TelemetryReadings(cell.agents.telemetry());
    }

    /// A watch that continues with the alerts of the last server on the same data directory.
    AlertWatch watch() {
        AlertsSection section = context.config().alerts();
        var file = new AlertFile(context.config().dataDir());
        return new AlertWatch(
                AlertConditions.of(context.config()),
                this::picture,
                new AlertBook(section.holds(), section.resolveAfter(), file.read(lastNumber())),
                file,
                context.clock());
    }

    /// The numbers of alerts begin with 1 on a new journal. If an earlier server's file is lost or
    /// damaged, they begin with the time in seconds, which no count of alerts reaches.
    private long lastNumber() {
        return stores.isNew ? 0 : context.clock().instant().getEpochSecond();
    }

    /// Adds the metrics that alerts are based on.
    void addMeters(AlertWatch watch) {
        AlertMeters.add(listeners.meters, watch, views);
        listeners.meters.gauge(
                "gpu_scheduler_journal_lag_seconds",
                "Time since the store last confirmed that this server owns the journal.",
                this::silence);
        listeners.meters.gauge(
                "gpu_scheduler_exploration_cap_ratio",
                "Largest share of choices that may be explorations.",
                () -> listeners.scores.settings().cap());
        listeners.meters.gauge(
                "gpu_scheduler_score_choices",
                "Choices that the exploration ratio is based on, also of earlier processes.",
                () -> listeners.scores.explorationCounts().total());
        listeners.meters.gauge(
                "gpu_scheduler_model_certainty_ratio",
                "Mean certainty of the learned run times, from 0 to 1.",
                () -> listeners.scores.view().certainty());
        listeners.meters.gauge(
                "gpu_scheduler_model_pairs",
                "Pairs of a kind of job and a model of GPU with a learned run time.",
                () -> listeners.scores.view().pairs());
        listeners.meters.gauge(
                "gpu_scheduler_eta_judged_starts",
                "Started jobs that the coverage of start estimates is based on; older ones count"
                        + " less.",
                listeners.startForecaster::judgedStarts);
    }

    private AlertPicture picture() {
        Instant now = context.clock().instant();
        View view = views.get();
        return new AlertPicture(
                now,
                view,
                readings,
                QueueAges.of(view, now),
                FragmentedCapacity.of(view),
                listeners.recentActivity.figures(now),
                new AlertPicture.Store(silence(), context.liveness().storeTrouble()),
                learning());
    }

    private double silence() {
        return Math.max(0, System.nanoTime() - stores.journal.oursAt()) / NANOS;
    }

    private AlertPicture.Learning learning() {
        ScoreService scores = listeners.scores;
        StartForecaster forecaster = listeners.startForecaster;
        ExplorationCounts counts = scores.explorationCounts();
        ScoreView learned = scores.view();
        return new AlertPicture.Learning(
                counts.total(),
                counts.ratio(),
                scores.settings().cap(),
                learned.certainty(),
                learned.pairs(),
                forecaster.coverage(),
                forecaster.judgedStarts());
    }
}
