package io.gpusched.server.history;

import io.gpusched.server.view.PoolFigures;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.View;
import io.gpusched.store.PoolHistoryRow;

import java.time.Instant;
import java.util.List;

/// Makes one step of the history of pools from the published view.
public final class PoolSampler {
    private PoolSampler() {}

    /// The name of a pool in the history. A pool of another tenant may have the same name later.
    public static String key(PoolRow row) {
        return row.pool().tenant() + "/" + row.pool().id();
    }

    static List<PoolHistoryRow> rows(View view, int step, long at) {
        return view.pools().rows().all().stream().map(row -> row(row, step, at)).toList();
    }

    private static PoolHistoryRow row(PoolRow row, int step, long at) {
        PoolFigures figures = row.figuresAt(Instant.ofEpochSecond(at));
        boolean answered =
                !Double.isNaN(figures.firstTokenP95()) && !Double.isNaN(figures.sloPercent());
        return new PoolHistoryRow(
                key(row),
                step,
                at,
                1,
                answered ? 1 : 0,
                row.counts().active(),
                row.counts().ready(),
                known(figures.arrivalsPerSecond()),
                known(figures.tokensPerSecond()),
                row.costPerHour(),
                answered ? figures.firstTokenP95() : Double.NaN,
                answered ? figures.sloPercent() : Double.NaN);
    }

    private static double known(double rate) {
        return Double.isNaN(rate) ? 0 : rate;
    }
}
