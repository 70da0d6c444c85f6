package io.gpusched.server.http;

import io.gpusched.server.history.HistoryReader;
import io.gpusched.server.history.PoolHistoryReader;
import io.gpusched.server.history.PoolSampler;
import io.gpusched.store.StoreException;

import java.time.Duration;
import java.time.InstantSource;

/// `GET /api/v1/pools/{name}/history`: figures of a pool over time.
final class PoolHistoryHandler {
    private static final Duration USUAL = Duration.ofHours(1);
    private static final int USUAL_POINTS = 300;
    private static final int MOST_POINTS = 2000;

    private final PoolHandlers pools;
    private final PoolHistoryReader reader;
    private final InstantSource clock;

    PoolHistoryHandler(PoolHandlers pools, PoolHistoryReader reader, InstantSource clock) {
        this.pools = pools;
        this.reader = reader;
        this.clock = clock;
    }

    Response show(Request request) {
        request.onlyParameters("from", "to", "points");
        String pool = PoolSampler.key(pools.row(request));
        TimeWindow times = TimeWindow.of(request, clock.instant(), USUAL);
        var window =
                new HistoryReader.Window(
                        times.from().getEpochSecond(),
                        times.to().getEpochSecond(),
                        (int) request.number("points", USUAL_POINTS, 1, MOST_POINTS));
        try {
            return Response.ok(HistoryHandlers.written("series", reader.read(window, pool), times));
        } catch (StoreException e) {
            throw HttpError.notReady("the history cannot be read: " + e.getMessage());
        }
    }
}
