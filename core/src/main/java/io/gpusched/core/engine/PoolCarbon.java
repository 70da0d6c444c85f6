package io.gpusched.core.engine;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Regions;
import io.gpusched.core.model.Role;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadInterval;
import io.gpusched.core.pool.LoadNow;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The carbon rules of pools: when a pool may grow beyond its least size, and where its replicas
/// should run. They are for work that is not urgent: while a pool misses its objectives they do not
/// hold it back.
final class PoolCarbon {
    private static final int MINUTES_PER_DAY = 1_440;
    private static final Duration RECENTLY = Duration.ofMinutes(1);

    private final ClusterState state;
    private final NodeSearch nodeSearch;
    private final Instant now;

    PoolCarbon(ClusterState state, NodeSearch nodeSearch, Instant now) {
        this.state = state;
        this.nodeSearch = nodeSearch;
        this.now = now;
    }

    /// Why the pool may not grow now; null if it may.
    @Nullable String whyNotGrow(Pool pool) {
        CarbonRules rules = pool.carbon();
        if (!isClean(rules)) {
            return String.format(
                    Locale.ROOT,
                    "the pool grows only in its clean hours, %s to %s UTC",
                    clock(rules.cleanFromMinute()),
                    clock(rules.cleanFromMinute() + rules.cleanMinutes()));
        }
        int most = rules.maxGramsPerKwh();
        SequencedMap<String, Integer> grams = most == 0 ? new TreeMap<>() : intensities(pool);
        if (grams.isEmpty() || grams.values().stream().anyMatch(each -> each <= most)) {
            return null;
        }
        var regions = new ArrayList<String>();
        grams.forEach((region, each) -> regions.add(region + " has " + each));
        Instant clean = cleanFrom(most, grams);
        return String.format(
                Locale.ROOT,
                "the pool grows only where power has at most %d g CO2 per kWh, and %s%s",
                most,
                String.join(", ", regions),
                clean == null ? "" : "; expected again from " + clean);
    }

    private boolean isClean(CarbonRules rules) {
        int from = rules.cleanFromMinute();
        int minute = Math.floorMod(Math.floorDiv(now.getEpochSecond(), 60L), MINUTES_PER_DAY);
        return from < 0 || Math.floorMod(minute - from, MINUTES_PER_DAY) < rules.cleanMinutes();
    }

    private static String clock(int minute) {
        int within = minute % MINUTES_PER_DAY;
        return String.format(Locale.ROOT, "%02d:%02d", within / 60, within % 60);
    }

    /// The present intensity of every region in which a replica could run, as far as it is known.
    /// If prices say different things about one region, the lowest counts.
    private SequencedMap<String, Integer> intensities(Pool pool) {
        var suitable = new ArrayList<NodeSearch.Suitable>();
        for (Role role : pool.replica().roles()) {
            suitable.add(nodeSearch.suits(role.shape()));
        }
        var grams = new TreeMap<String, Integer>();
        for (NodeView node : state.nodes().all()) {
            Labels labels = node.facts().labels();
            int each = node.status().open() ? state.carbon().gramsPerKwh(labels, now) : 0;
            if (each > 0
                    && suitable.stream().anyMatch(one -> one.has(state.nodes().index(), node))) {
                grams.merge(Regions.of(labels), each, Math::min);
            }
        }
        return grams;
    }

    /// When one of the regions is forecast to be clean enough; null if that is not foreseen.
    private @Nullable Instant cleanFrom(int most, SequencedMap<String, Integer> regions) {
        Instant first = null;
        for (String region : regions.keySet()) {
            CarbonForecast forecast = state.carbon().forecast(region, now);
            int slot =
                    forecast == null
                            ? -1
                            : forecast.firstStartUpTo(
                                    most, forecast.slotAt(now), forecast.slots() - 1, 1);
            if (forecast != null && slot >= 0) {
                Instant start = forecast.start(slot);
                first = first == null || start.isBefore(first) ? start : first;
            }
        }
        return first;
    }

    /// The regions in which replicas should run, the best first: those that the pool prefers. With
    /// a limit, regions within it come first, also those that the pool does not name.
    List<String> regions(Pool pool) {
        CarbonRules rules = pool.carbon();
        if (rules.maxGramsPerKwh() == 0) {
            return rules.preferredRegions();
        }
        var clean = new ArrayList<String>();
        var dirty = new ArrayList<String>();
        SequencedMap<String, Integer> grams = intensities(pool);
        for (String region : rules.preferredRegions()) {
            int each = grams.getOrDefault(region, 0);
            (each <= rules.maxGramsPerKwh() ? clean : dirty).add(region);
        }
        var regions = new LinkedHashSet<>(clean);
        grams.forEach(
                (region, each) -> {
                    if (each <= rules.maxGramsPerKwh()) {
                        regions.add(region);
                    }
                });
        regions.addAll(dirty);
        return List.copyOf(regions);
    }

    /// How the pool misses its objectives now; null if it meets them or has none.
    @Nullable String missedObjective(PoolEntry entry, int ready) {
        Slo slo = entry.pool().slo();
        LoadNow load = entry.load().since(now.minus(entry.pool().scaling().staleAfter()));
        if (slo.isNone() || load.sources() == 0) {
            return null;
        }
        if (slo.firstTokenMillis() > 0 && load.firstTokenP95Millis() > slo.firstTokenMillis()) {
            return String.format(
                    Locale.ROOT,
                    "the first token takes %d ms, the objective is %d",
                    load.firstTokenP95Millis(),
                    slo.firstTokenMillis());
        }
        LoadInterval recent = entry.load().sum(now, RECENTLY);
        long answered = recent.of(LoadCount.ANSWERED);
        long within = recent.of(LoadCount.WITHIN_SLO);
        if (within * 1_000 < answered * slo.permille()) {
            return String.format(
                    Locale.ROOT,
                    "%.1f %% of the requests of a minute met the objectives, %.1f %% are promised",
                    100.0 * within / answered,
                    slo.permille() / 10.0);
        }
        return ready == 0 && load.held() > 0 ? "requests wait and no replica is ready" : null;
    }
}
