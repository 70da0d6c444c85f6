package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.Regions;
import io.gpusched.core.model.Role;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The ledger's part about the carbon intensity of power: the newest forecast of each region. A
/// forecast that is over is forgotten with the next event.
public final class CarbonLedger {
    private record Entry(RegionForecast given, CarbonForecast forecast, long digest) {
        static Entry of(RegionForecast given) {
            long hash = Digest.mix(Digest.of(given.region()), Instants.micros(given.from()));
            hash = Digest.mix(hash, given.slot().toSeconds());
            for (int grams : given.grams()) {
                hash = Digest.mix(hash, grams);
            }
            return new Entry(given, given.toForecast(), hash);
        }
    }

    private final NodePrices nodePrices;
    private final SequencedMap<String, Entry> byRegion = new TreeMap<>();
    private Instant firstEnd = Instant.MAX;

    CarbonLedger(NodePrices nodePrices) {
        this.nodePrices = nodePrices;
    }

    /// Whether the event changes a forecast.
    static boolean isAbout(Event event) {
        return event instanceof Event.ForecastPut || event instanceof Event.ForecastRemoved;
    }

    void hear(Event event) {
        switch (event) {
            case Event.ForecastPut e -> put(e.forecast());
            case Event.ForecastRemoved e -> remove(e.region());
            default -> {}
        }
    }

    void put(RegionForecast forecast) {
        byRegion.put(forecast.region(), Entry.of(forecast));
        findFirstEnd();
    }

    void remove(String region) {
        byRegion.remove(region);
        findFirstEnd();
    }

    void timePassed(Instant now) {
        if (!now.isBefore(firstEnd)) {
            byRegion.values().removeIf(entry -> !now.isBefore(entry.given.end()));
            findFirstEnd();
        }
    }

    private void findFirstEnd() {
        firstEnd = Instant.MAX;
        for (Entry entry : byRegion.values()) {
            Instant end = entry.given.end();
            firstEnd = end.isBefore(firstEnd) ? end : firstEnd;
        }
    }

    /// The forecasts, by region.
    public List<RegionForecast> all() {
        var all = new ArrayList<RegionForecast>(byRegion.size());
        byRegion.values().forEach(entry -> all.add(entry.given));
        return all;
    }

    public boolean isEmpty() {
        return byRegion.isEmpty();
    }

    public @Nullable RegionForecast find(String region) {
        Entry entry = byRegion.get(region);
        return entry == null ? null : entry.given;
    }

    /// The forecast of the region if it covers this time; otherwise null.
    public @Nullable CarbonForecast forecast(String region, Instant now) {
        Entry entry = byRegion.get(region);
        return entry != null && entry.given.at(now) != null ? entry.forecast : null;
    }

    /// The forecast that counts for a batch job: that of the region in which it must run, else of
    /// the first region that it prefers and that has one, else of the default region. Null if that
    /// region has none that covers this time.
    public @Nullable CarbonForecast forecast(JobSpec spec, Instant now) {
        if (byRegion.isEmpty()) {
            return null;
        }
        for (Role role : spec.roles()) {
            String selected = Regions.of(role.shape().nodes());
            if (!selected.equals(Regions.DEFAULT)) {
                return forecast(selected, now);
            }
        }
        for (String region : spec.carbon().regions()) {
            CarbonForecast found = forecast(region, now);
            if (found != null) {
                return found;
            }
        }
        return forecast(Regions.DEFAULT, now);
    }

    /// The present intensity for a node with these labels in grams per kilowatt-hour: as forecast
    /// for its region, else as its market says; 0 where it is not known.
    public int gramsPerKwh(Labels node, Instant now) {
        Entry entry = byRegion.get(Regions.of(node));
        Integer grams = entry == null ? null : entry.given.at(now);
        if (grams != null) {
            return grams;
        }
        Market market = nodePrices.of(node);
        return market == null ? 0 : market.gramsPerKwh();
    }

    long digest() {
        long all = 0;
        for (Entry entry : byRegion.values()) {
            all ^= entry.digest;
        }
        return all;
    }
}
