package io.gpusched.server;

import io.gpusched.server.alert.AlertWatch;
import io.gpusched.server.cell.StoreWatch;
import io.gpusched.server.history.HistoryRecorder;
import io.gpusched.server.learn.ChoiceCountRecorder;
import io.gpusched.server.live.JournalEvents;
import io.gpusched.server.retention.Retention;
import io.gpusched.server.webhook.Webhooks;
import io.gpusched.server.whatif.RecordedConfigs;
import io.gpusched.server.whatif.ScalerShadow;
import io.gpusched.server.whatif.StoredHistory;
import io.gpusched.server.whatif.WhatIfService;

import java.time.Duration;

/// The services that work beside a running cell: they record counts, watch agents and the store,
/// delete old data, estimate starts, raise alerts, and replay the journal for what-if.
final class BackgroundServices {
    /// Shorter than a client waits, and small beside the ledger.
    private static final ScalerShadow.Limits SHADOW =
            new ScalerShadow.Limits(Duration.ofSeconds(45), 1_000_000);

    final WhatIfService whatIf;
    final ScalerShadow scalerShadow;
    final AlertWatch alerts;
    final Webhooks webhooks;

    /// Starts all of them. The cell must have been started.
    BackgroundServices(
            ServerContext context, Stores stores, BatchListeners listeners, CellParts cell) {
        var shutdown = context.shutdown();
        shutdown.add(new ChoiceCountRecorder(listeners.scores, context.gateway()::ask)).start();
        cell.agents.start();
        watchStore(context, stores);
        stores.tables.start();
        shutdown.add(listeners.events)
                .start(
                        new JournalEvents(
                                stores.journal,
                                job -> cell.follower.view().job(job),
                                stores.pastJobs));
        shutdown.add(retention(context, stores, cell)).start();
        shutdown.add(history(context, stores, listeners, cell)).start();
        shutdown.add(listeners.startForecaster).start(cell.follower);
        shutdown.add(listeners.shadowPolicy)
                .start(() -> cell.follower.ask(context.engineConfig()::beginning));
        shutdown.add(listeners.policyControl).start();
        var alertSetup = new AlertSetup(context, stores, listeners, cell);
        alerts = shutdown.add(alertSetup.watch());
        alertSetup.addMeters(alerts);
        webhooks = shutdown.add(webhooks(context, listeners));
        webhooks.start(alerts::told);
        alerts.listen(webhooks);
        alerts.listen(new AlertEvents(listeners.events, context.clock()));
        alerts.start(context.config().alerts().interval());
        var configs =
                new RecordedConfigs(
                        context.engineConfig().plugins().rules(), context.engineConfig().model());
        whatIf =
                shutdown.add(
                        new WhatIfService(
                                () -> new StoredHistory(stores.journal), configs, context.clock()));
        scalerShadow =
                shutdown.add(
                        new ScalerShadow(
                                () -> new StoredHistory(stores.journal),
                                new LedgerBeginnings(
                                        stores.journal, stores.snapshots, context.engineConfig()),
                                configs,
                                context.engineConfig().plugins().rules().scalers(),
                                SHADOW));
    }

    private static Webhooks webhooks(ServerContext context, BatchListeners listeners) {
        return new Webhooks(
                context.config().alerts().webhooks(),
                context.config().environment(),
                context.clock(),
                listeners.meters::countDelivery);
    }

    private static void watchStore(ServerContext context, Stores stores) {
        var watch =
                context.shutdown().add(new StoreWatch(stores.journal, context.liveness()::died));
        watch.start();
        context.liveness().watch(watch::trouble);
    }

    private static HistoryRecorder history(
            ServerContext context, Stores stores, BatchListeners listeners, CellParts cell) {
        return new HistoryRecorder(
                stores.history,
                listeners.historyCounts,
                cell.follower::view,
                new TelemetryReadings(cell.agents.telemetry()),
                context.clock());
    }

    private static Retention retention(ServerContext context, Stores stores, CellParts cell) {
        return new Retention(
                context.config().retention(),
                new Retention.Stores(stores.journal, stores.snapshots, stores.tables),
                command -> context.gateway().tell(command, answer -> {}),
                cell.follower::view,
                context.clock());
    }
}
