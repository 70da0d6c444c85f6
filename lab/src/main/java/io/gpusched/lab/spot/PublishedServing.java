package io.gpusched.lab.spot;

import java.util.List;

/// The published policies of "SkyServe" (EuroSys 2025). They keep a number of spot instances and
/// ask for those that are missing.
final class PublishedServing implements ServingPolicy {
    static final String ON_DEMAND = "OnDemand";
    static final String SPOT_HEDGE = "SpotHedge";
    static final List<String> NAMES = List.of(ON_DEMAND, "NaiveSpread", "RoundRobin", SPOT_HEDGE);

    private final int wanted;
    private final ZonePicker picker;

    private PublishedServing(int wanted, ZonePicker picker) {
        this.wanted = wanted;
        this.picker = picker;
    }

    /// @param wanted instances in all, with those beyond the target
    static ServingPolicy named(String name, int wanted, int zones, PythonRandom random) {
        return switch (name) {
            case ON_DEMAND -> (fleet, spots) -> wanted;
            case "NaiveSpread" -> new PublishedServing(wanted, new ZonePicker.NaiveSpread());
            case "RoundRobin" -> new PublishedServing(wanted, new ZonePicker.RoundRobin());
            case SPOT_HEDGE ->
                    new PublishedServing(wanted, new ZonePicker.SpotHedge(zones, random));
            default -> throw new IllegalArgumentException("unknown policy " + name);
        };
    }

    @Override
    public int plan(ServingFleet fleet, int[] spots) {
        picker.look(fleet);
        int there = fleet.spots() > wanted ? 0 : fleet.spots();
        for (int zone = 0; zone < spots.length; zone++) {
            spots[zone] = there == 0 ? 0 : fleet.kept(zone);
        }
        picker.add(spots, wanted - there);
        return switch (picker) {
            case ZonePicker.SpotHedge hedge ->
                    Math.clamp((long) wanted - fleet.readySpots(), 0, TARGET);
            case ZonePicker.NaiveSpread naive -> 0;
            case ZonePicker.RoundRobin turns -> 0;
        };
    }
}
