package io.gpusched.server.history;

import io.gpusched.server.view.PoolFigures;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.View;
import io.gpusched.store.PoolHistoryRow;

import java.util.List;

/// Makes one step of the history of pools from the published view.
final class PoolSampler {
    private PoolSampler() {}

    static List<PoolHistoryRow> rows(View view, int step, long at) {
        return view.pools().rows().all().stream().map(row -> row(row, step, at)).toList();
    }

    private static PoolHistoryRow row(PoolRow row, int step, long at) {
        PoolFigures figures = row.figures();
        boolean answered =
                !Double.isNaN(figures.firstTokenP95()) && !Double.isNaN(figures.sloPercent());
        return new PoolHistoryRow(
                row.pool().id().name(),
                step,
                at,
                1,
                answered ? 1 : 0,
                row.counts().active(),
                row.counts().ready(),
                figures.arrivalsPerSecond(),
                figures.tokensPerSecond(),
                row.costPerHour(),
                answered ? figures.firstTokenP95() : Double.NaN,
                answered ? figures.sloPercent() : Double.NaN);
    }
}
