package io.gpusched.server;

import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.ScoreView;
import io.gpusched.server.alert.AlertBook;
import io.gpusched.server.alert.AlertConditions;
import io.gpusched.server.alert.AlertFile;
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
                new AlertBook(section.holds(), section.resolveAfter(), file.read()),
                file,
                context.clock());
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
