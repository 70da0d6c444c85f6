package io.gpusched.server.http;

import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.history.HistoryReader;
import io.gpusched.server.history.HistoryReader.Chart;
import io.gpusched.server.history.HistorySeries;
import io.gpusched.server.view.View;
import io.gpusched.store.StoreException;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// `/api/v1/history`: figures of the cluster and of tenants over time. A tenant sees the cluster's
/// totals and its own figures.
final class HistoryHandlers {
    private static final Duration USUAL = Duration.ofHours(1);
    private static final int USUAL_POINTS = 300;
    private static final int MOST_POINTS = 2000;

    private final HistoryReader reader;
    private final Supplier<View> views;
    private final InstantSource clock;

    HistoryHandlers(HistoryReader reader, Supplier<View> views, InstantSource clock) {
        this.reader = reader;
        this.views = views;
        this.clock = clock;
    }

    Response show(Request request) {
        request.onlyParameters("series", "from", "to", "points", "tenant");
        String tenant = request.query("tenant");
        List<HistorySeries> known =
                tenant.isEmpty() ? HistorySeries.ofCluster() : HistorySeries.ofTenants();
        List<HistorySeries> wanted = series(request, known);
        TimeWindow times = TimeWindow.of(request, clock.instant(), USUAL);
        HistoryReader.Window window = window(request, times);
        Chart chart =
                readable(
                        () ->
                                tenant.isEmpty()
                                        ? reader.cluster(window, wanted)
                                        : ofTenant(request.caller(), window, wanted, tenant));
        return Response.ok(written("series", chart, times));
    }

    /// A tenant that was removed is shown as long as its history is kept.
    private Chart ofTenant(
            Caller caller, HistoryReader.Window window, List<HistorySeries> wanted, String tenant) {
        var id = new TenantId(tenant);
        if (!caller.mayTouch(id)) {
            throw HttpError.unknown("tenant", tenant, "/api/v1/tenants");
        }
        Chart chart = reader.tenant(window, wanted, tenant);
        if (chart == null && views.get().tenants().row(id) == null) {
            throw HttpError.unknown("tenant", tenant, "/api/v1/tenants");
        }
        return chart == null ? reader.idle(window, wanted) : chart;
    }

    Response tenants(Request request) {
        request.onlyParameters("series", "from", "to", "points");
        List<HistorySeries> wanted = series(request, HistorySeries.ofTenants());
        if (wanted.size() > 1 && !request.query("series").isEmpty()) {
            throw HttpError.invalid(
                    "series",
                    "series is \"%s\"".formatted(request.list("series")),
                    "name one series: this route shows one series of every tenant");
        }
        HistorySeries series = wanted.size() == 1 ? wanted.getFirst() : HistorySeries.GPUS_USED;
        TimeWindow times = TimeWindow.of(request, clock.instant(), USUAL);
        String only = request.caller() instanceof Caller.Member of ? of.tenant().name() : null;
        Chart chart = readable(() -> reader.tenants(window(request, times), series, only));
        return Response.ok(written("tenants", chart, times));
    }

    private static HistoryReader.Window window(Request request, TimeWindow times) {
        return new HistoryReader.Window(
                times.from().getEpochSecond(),
                times.to().getEpochSecond(),
                (int) request.number("points", USUAL_POINTS, 1, MOST_POINTS));
    }

    /// The series that the request names; all if it names none.
    private static List<HistorySeries> series(Request request, List<HistorySeries> known) {
        String text = request.list("series");
        if (text.isEmpty()) {
            return known;
        }
        var wanted = new ArrayList<HistorySeries>();
        for (String name : text.split(",", -1)) {
            wanted.add(
                    known.stream()
                            .filter(series -> series.toString().equals(name.strip()))
                            .findFirst()
                            .orElseThrow(() -> unknown(name, known)));
        }
        return wanted;
    }

    private static HttpError unknown(String name, List<HistorySeries> known) {
        return HttpError.invalid(
                "series",
                "there is no series \"%s\"".formatted(name),
                "write some of "
                        + String.join(", ", known.stream().map(HistorySeries::toString).toList()));
    }

    private static Chart readable(Supplier<Chart> read) {
        try {
            return read.get();
        } catch (StoreException e) {
            throw HttpError.notReady("the history cannot be read: " + e.getMessage());
        }
    }

    static JsonOutput written(String name, Chart chart, TimeWindow times) {
        var out = new JsonOutput(1 << 12).object();
        out.field("from", times.from()).field("to", times.to());
        out.field("step_seconds", chart.stepSeconds()).name("times").array();
        chart.times().forEach(time -> out.value((long) time));
        out.endArray().name(name).object();
        chart.series().forEach((of, figures) -> write(of, figures, out));
        return out.endObject().endObject();
    }

    private static void write(String name, List<Double> figures, JsonOutput out) {
        out.key(name).array();
        for (double figure : figures) {
            out.value(figure);
        }
        out.endArray();
    }
}
