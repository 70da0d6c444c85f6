package io.gpusched.lab.spot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The figures of one window.
///
/// @param order the zones as they were shuffled
/// @param available ticks in which at least three instances were ready
/// @param ticks ticks that count
/// @param spotTicks spot instances, summed over the ticks
/// @param onDemandTicks instances on demand, summed over the ticks
public record ServingRow(
        ServingCase given,
        String order,
        int available,
        int ticks,
        long spotTicks,
        long onDemandTicks) {
    public static final String OURS = "ours";
    static final List<String> COLUMNS =
            List.of("order", "availability", "cost", "spot_ticks", "od_ticks", "relative_cost");

    private static final int LENGTH = 2880;
    private static final int ON_DEMAND_PRICE = 3;

    static ServingRow of(ServingCase given, Map<String, int[]> zones) {
        var order = new ArrayList<>(zones.keySet());
        Collections.sort(order);
        var random = new PythonRandom(0);
        for (int window = 0; window <= given.window(); window++) {
            random = new PythonRandom(0);
            random.shuffle(order);
        }
        ServingPolicy policy =
                given.policy().equals(OURS)
                        ? new RiskHedge(order.size())
                        : PublishedServing.named(
                                given.policy(),
                                ServingPolicy.TARGET + given.overprovision(),
                                order.size(),
                                random);
        return run(given, order, order.stream().map(zones::get).toArray(int[][]::new), policy);
    }

    private static ServingRow run(
            ServingCase given, List<String> order, int[][] capacity, ServingPolicy policy) {
        var fleet = new ServingFleet(capacity.length, LENGTH, given.coldStart());
        int available = 0;
        long spotTicks = 0;
        long onDemandTicks = 0;
        for (int tick = 0; tick < LENGTH; tick++) {
            var there = new int[capacity.length];
            for (int zone = 0; zone < there.length; zone++) {
                there[zone] = capacity[zone][(given.offset() + tick) % capacity[zone].length];
            }
            var spots = new int[there.length];
            int onDemand = policy.plan(fleet, spots);
            fleet.step(spots, onDemand, there);
            if (tick >= given.coldStart()) {
                int ready = fleet.readySpots() + fleet.readyOnDemand();
                available += ready >= ServingPolicy.TARGET ? 1 : 0;
                spotTicks += fleet.spots();
                onDemandTicks += fleet.onDemand();
            }
        }
        return new ServingRow(
                given,
                String.join(" ", order),
                available,
                LENGTH - given.coldStart(),
                spotTicks,
                onDemandTicks);
    }

    public double availability() {
        return (double) available / ticks;
    }

    private long cost() {
        return spotTicks + ON_DEMAND_PRICE * onDemandTicks;
    }

    /// The cost as a fraction of three instances on demand.
    public double relativeCost() {
        return (double) cost() / (ON_DEMAND_PRICE * ServingPolicy.TARGET * ticks);
    }

    /// A cell as the file of expected results writes it.
    String cell(String column) {
        return switch (column) {
            case "order" -> order;
            case "availability" -> String.format(Locale.ROOT, "%.8f", availability());
            case "cost" -> String.valueOf(cost());
            case "spot_ticks" -> String.valueOf(spotTicks);
            case "od_ticks" -> String.valueOf(onDemandTicks);
            case "relative_cost" -> String.format(Locale.ROOT, "%.6f", relativeCost());
            default -> throw new IllegalArgumentException("there is no column " + column);
        };
    }

    /// A row in the form of the expected results.
    public String text() {
        var cells = new ArrayList<String>();
        cells.add(given.trace());
        cells.add(given.seed());
        cells.add(String.valueOf(given.window()));
        cells.add(String.valueOf(given.offset()));
        cells.add(order);
        cells.add(given.policy());
        cells.add(String.valueOf(given.overprovision()));
        cells.add(String.valueOf(given.coldStart()));
        COLUMNS.subList(1, COLUMNS.size()).forEach(column -> cells.add(cell(column)));
        return String.join(",", cells);
    }

    /// The first line of a file of such rows.
    public static String header() {
        return "trace,seed,window,offset,order,policy,overprovision,cold_start_ticks,"
                + String.join(",", COLUMNS.subList(1, COLUMNS.size()));
    }
}
