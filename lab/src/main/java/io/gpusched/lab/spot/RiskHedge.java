package io.gpusched.lab.spot;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// Our policy: the cheapest plan when an outage of the service has a price.
///
/// For every zone it estimates the chance that the zone takes its instances away in the next tick.
/// The longer a zone has kept them, the smaller the chance; zones that took more away than expected
/// count as riskier. It then compares all plans over the safest zones: what the instances cost, and
/// the chance that fewer than three remain if one zone or two zones fail, times the price of an
/// outage. A stable zone carries all three alone. Zones that are new or restless share them and
/// have a spare.
///
/// On-demand instances are weighed in the same way, with the instances that are there. They stay
/// until spot instances are ready. It knows only what its own requests have shown.
final class RiskHedge implements ServingPolicy {
    /// Ticks in ten minutes.
    private static final double UNIT = 20;

    private static final double CHANCE = 0.2;
    private static final double DECAY = 0.7;
    private static final double WEIGHT = 5;

    /// What an outage costs, in instances and ticks.
    private static final double OUTAGE_PRICE = 1000;

    private static final double ON_DEMAND_PRICE = 3;
    private static final double CHANGE_PRICE = 0.05;
    private static final double EMPTY_RISK = 10;
    private static final int SAFEST_ZONES = 4;
    private static final int MOST_PER_ZONE = 4;
    private static final int MOST_SPOTS = 7;
    private static final double TINY = 1e-9;

    private final int[] since;
    private final int[] emptyUntil;
    private final double[] losses;
    private final double[] expectedLosses;
    private final int[] before;

    RiskHedge(int zones) {
        since = new int[zones];
        emptyUntil = new int[zones];
        losses = new double[zones];
        expectedLosses = new double[zones];
        before = new int[zones];
        Arrays.fill(since, -1);
    }

    @Override
    public int plan(ServingFleet fleet, int[] spots) {
        look(fleet);
        int now = fleet.ticks();
        var held = new int[spots.length];
        var chances = new double[spots.length];
        for (int zone = 0; zone < spots.length; zone++) {
            held[zone] = fleet.kept(zone);
            chances[zone] = usualChance(since[zone] < 0 ? 0 : now - since[zone]) * pace(zone);
        }
        int[] best = cheapest(fleet, held, chances);
        int ready = 0;
        for (int zone = 0; zone < spots.length; zone++) {
            ready += Math.min(best[zone], fleet.ready(zone));
        }
        for (int zone = 0; zone < spots.length; zone++) {
            spots[zone] = ready >= TARGET ? best[zone] : Math.max(best[zone], held[zone]);
        }
        int until = Math.min(fleet.onDemand(), Math.max(0, TARGET - fleet.readySpots()));
        return Math.max(until, onDemand(fleet, held, chances));
    }

    /// Takes in what came of the plan before.
    private void look(ServingFleet fleet) {
        int tick = fleet.ticks() - 1;
        for (int zone = 0; zone < before.length && tick >= 0; zone++) {
            int kept = fleet.kept(zone);
            int asked = fleet.asked(zone);
            boolean lost = kept < Math.min(before[zone], asked);
            if (before[zone] > 0) {
                expectedLosses[zone] += usualChance(tick - 1 - since[zone]);
                losses[zone] += lost ? 1 : 0;
            }
            if (kept == 0) {
                since[zone] = -1;
                emptyUntil[zone] = asked > 0 ? tick + 1 + (int) UNIT : emptyUntil[zone];
            } else {
                emptyUntil[zone] = 0;
                since[zone] = since[zone] < 0 || lost ? tick : since[zone];
            }
            before[zone] = kept;
        }
    }

    /// The chance that a zone takes its instances away in a tick, by how long it has kept them.
    private static double usualChance(int ticks) {
        return CHANCE / StrictMath.pow(ticks / UNIT + 0.5, DECAY) / UNIT;
    }

    private double pace(int zone) {
        return (losses[zone] + WEIGHT) / (expectedLosses[zone] + WEIGHT);
    }

    /// How many on demand cost least with the spot instances that are there.
    private static int onDemand(ServingFleet fleet, int[] held, double[] chances) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int count = Math.max(0, TARGET - fleet.spots()); count <= TARGET; count++) {
            double cost =
                    ON_DEMAND_PRICE * count
                            + OUTAGE_PRICE * outages(held, count, chances, fleet.coldStart());
            if (cost < least - TINY) {
                least = cost;
                best = count;
            }
        }
        return best;
    }

    /// The chance of an outage in a tick: the loss of one zone, or of a second one before the first
    /// is replaced.
    private static double outages(int[] spots, int others, double[] chances, int coldStart) {
        int total = Arrays.stream(spots).sum() + others;
        double sum = 0;
        for (int one = 0; one < spots.length; one++) {
            if (spots[one] == 0) {
                continue;
            }
            if (total - spots[one] < TARGET) {
                sum += chances[one];
                continue;
            }
            for (int two = 0; two < spots.length; two++) {
                if (two != one && spots[two] > 0 && total - spots[one] - spots[two] < TARGET) {
                    sum += chances[one] * Math.min(1, chances[two] * (coldStart + 1)) / 2;
                }
            }
        }
        return sum;
    }

    private int[] cheapest(ServingFleet fleet, int[] held, double[] known) {
        double[] chances = known.clone();
        for (int zone = 0; zone < chances.length; zone++) {
            chances[zone] *= fleet.ticks() <= emptyUntil[zone] ? EMPTY_RISK : 1;
        }
        int[] safest =
                IntStream.range(0, chances.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(zone -> chances[zone]))
                        .limit(SAFEST_ZONES)
                        .mapToInt(zone -> zone)
                        .toArray();
        var search = new Search(held, chances, safest, fleet.coldStart());
        search.from(0, 0);
        return search.best;
    }

    /// All plans over some zones.
    private static final class Search {
        private final int[] held;
        private final double[] chances;
        private final int[] zones;
        private final int coldStart;
        private final int[] plan;
        private int[] best;
        private double least = Double.POSITIVE_INFINITY;

        Search(int[] held, double[] chances, int[] zones, int coldStart) {
            this.held = held;
            this.chances = chances;
            this.zones = zones;
            this.coldStart = coldStart;
            this.plan = new int[held.length];
            this.best = plan;
        }

        void from(int next, int total) {
            if (next == zones.length) {
                weigh(total);
                return;
            }
            for (int count = 0; count <= MOST_PER_ZONE && total + count <= MOST_SPOTS; count++) {
                plan[zones[next]] = count;
                from(next + 1, total + count);
            }
            plan[zones[next]] = 0;
        }

        private void weigh(int total) {
            if (total < TARGET) {
                return;
            }
            int changes = 0;
            for (int zone = 0; zone < plan.length; zone++) {
                changes += Math.max(0, plan[zone] - held[zone]);
            }
            double cost =
                    total
                            + CHANGE_PRICE * changes
                            + OUTAGE_PRICE * outages(plan, 0, chances, coldStart);
            if (cost < least - TINY) {
                least = cost;
                best = plan.clone();
            }
        }
    }
}
