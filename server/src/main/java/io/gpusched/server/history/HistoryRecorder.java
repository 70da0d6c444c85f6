package io.gpusched.server.history;

import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;
import io.gpusched.store.HistoryRow;
import io.gpusched.store.HistoryTables;
import io.gpusched.store.StoreException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Writes the history: a step every ten seconds, and joins complete steps to longer ones.
///
/// A longer step is made from the stored shorter ones, so a restart loses nothing but the seconds
/// that were not yet written. What cannot be written is dropped: the next step is written as if
/// nothing had happened, and the scheduler does not notice.
public final class HistoryRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);

    private final HistoryTables tables;
    private final HistoryCounts counts;
    private final Supplier<View> views;
    private final LatestReadings readings;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("history").daemon().unstarted(this::run);

    /// Until when the steps of each level are made; filled from the tables when they can be read.
    private final Map<HistoryLevel, Long> joinedUntil = new TreeMap<>();

    private long written;
    private boolean isFailing;

    public HistoryRecorder(
            HistoryTables tables,
            HistoryCounts counts,
            Supplier<View> views,
            LatestReadings readings,
            InstantSource clock) {
        this.tables = tables;
        this.counts = counts;
        this.views = views;
        this.readings = readings;
        this.clock = clock;
        this.written = HistoryLevel.TEN_SECONDS.end(now());
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closing.await(millisToNextStep(), TimeUnit.MILLISECONDS)) {
                tick();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long millisToNextStep() {
        long step = HistoryLevel.TEN_SECONDS.seconds() * 1000L;
        return step - Math.floorMod(clock.instant().toEpochMilli(), step);
    }

    /// Writes the step that has ended, if one has, and joins the longer steps that ended with it.
    void tick() {
        long end = HistoryLevel.TEN_SECONDS.end(now());
        if (end <= written) {
            return;
        }
        written = end;
        int step = HistoryLevel.TEN_SECONDS.seconds();
        try {
            var sampler = new HistorySampler(views.get(), readings);
            tables.write(sampler.rows(step, end - step, counts.take()));
            tables.pools().write(PoolSampler.rows(views.get(), step, end - step));
            for (HistoryLevel level : HistoryLevel.ALL) {
                if (level != HistoryLevel.TEN_SECONDS) {
                    join(level, end);
                }
            }
            if (isFailing) {
                LOG.info("the history is written again");
            }
            isFailing = false;
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /// Everything ends here: the history is a picture, and nothing depends on it.
    private void failed(RuntimeException e) {
        if (!isFailing) {
            if (e instanceof StoreException) {
                LOG.warn("the history has a gap, jobs are not affected: {}", e.getMessage());
            } else {
                LOG.error("the history has a gap, jobs are not affected", e);
            }
        }
        isFailing = true;
    }

    private void join(HistoryLevel level, long now) {
        long from = joinedUntil.computeIfAbsent(level, this::storedUntil);
        long to = level.end(now);
        if (to <= from) {
            return;
        }
        tables.write(joined(level, from, to));
        tables.pools().join(level.finer().seconds(), level.seconds(), from, to);
        joinedUntil.put(level, to);
        tables.pools().prune(level.finer().seconds(), level.finer().oldest(now));
        tables.pools().prune(level.seconds(), level.oldest(now));
        tables.prune(level.finer().seconds(), level.finer().oldest(now));
        tables.prune(level.seconds(), level.oldest(now));
    }

    private long storedUntil(HistoryLevel level) {
        long newest = tables.newest(level.seconds());
        return newest < 0 ? 0 : newest + level.seconds();
    }

    /// The steps of the level in [from, to), made of the stored steps of the finer level.
    private List<HistoryRow> joined(HistoryLevel level, long from, long to) {
        int finer = level.finer().seconds();
        var cluster = new TreeMap<Long, RowSum>();
        var tenants = new TreeMap<Long, Map<String, RowSum>>();
        for (HistoryRow row : tables.cluster(finer, from, to)) {
            cluster.computeIfAbsent(level.end(row.at()), at -> new RowSum()).add(row);
        }
        tables.tenants(
                finer,
                from,
                to,
                null,
                row ->
                        tenants.computeIfAbsent(level.end(row.at()), at -> new TreeMap<>())
                                .computeIfAbsent(row.tenant(), tenant -> new RowSum())
                                .add(row));
        var rows = new ArrayList<HistoryRow>();
        cluster.forEach(
                (at, sum) -> {
                    rows.add(sum.row(level.seconds(), at));
                    var ofTenants = new ArrayList<HistoryRow>();
                    tenants.getOrDefault(at, Map.of())
                            .forEach(
                                    (tenant, own) ->
                                            ofTenants.add(
                                                    own.row(level.seconds(), at, tenant, sum)));
                    rows.addAll(LargestTenants.of(ofTenants));
                });
        return rows;
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
