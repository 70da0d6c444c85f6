package io.gpusched.core.spot;

import java.util.LinkedHashMap;
import java.util.Map;

/// Decides where a job with a deadline runs: on spot capacity, on demand, or nowhere for a while.
///
/// Idea: spot capacity is cheap but comes and goes. Waiting for it and every change of machine use
/// up slack, and slack is worth money: without it the rest runs on demand. Most outages are short,
/// and an outage that has lasted for long will last longer. Therefore a job waits at the beginning
/// of an outage, moves to on demand when the outage goes on, and keeps slack for the changes to
/// come. How long it waits follows from the least expected cost under [AvailabilityModel].
///
/// The deadline comes first: a job whose slack no longer covers one more lost interval and one more
/// start runs on demand. Decisions depend on the arguments alone; tables are kept only for speed.
public final class DeadlineRule {
    private static final int MOST_STEPS = 432;
    private static final int SIZE = 144;

    private record Key(int units, long overhead, SpotPrices prices, int outages, int supplies) {}

    private final Map<Key, ExpectedCosts> tables = new LinkedHashMap<>(16, 0.75f, true);
    private final int mostTables;

    /// @param mostTables how many tables of expected costs are kept, about 6 MB each
    public DeadlineRule(int mostTables) {
        this.mostTables = mostTables;
    }

    /// @param now in milliseconds, on the clock of the history
    public SpotDecision decide(long now, DeadlineJob job, SpotPrices prices, SpotHistory history) {
        long slack = job.slack();
        boolean onSpot = job.current() == SpotChoice.SPOT && history.available();
        long toLeave = job.overhead() + job.interval();
        if (!prices.isSpotCheaper()) {
            return new SpotDecision(
                    SpotChoice.ON_DEMAND, "spot capacity is not cheaper than on demand");
        }
        if (slack < toLeave) {
            return new SpotDecision(
                    SpotChoice.ON_DEMAND,
                    "the slack of %s is too short for anything but on demand; a lost interval and a start take %s"
                            .formatted(text(slack), text(toLeave)));
        }
        if (onSpot) {
            return new SpotDecision(
                    SpotChoice.SPOT,
                    "runs on spot capacity; a slack of %s covers its loss".formatted(text(slack)));
        }
        return cheapest(now, job, prices, history);
    }

    private SpotDecision cheapest(
            long now, DeadlineJob job, SpotPrices prices, SpotHistory history) {
        long horizon = job.remaining() + job.slack();
        int units =
                (int) Math.max(1, (horizon / AvailabilityModel.UNIT + MOST_STEPS) / MOST_STEPS);
        long step = units * AvailabilityModel.UNIT;
        int work = (int) ((job.remaining() + step - 1) / step);
        double slack = (double) job.slack() / step;
        ExpectedCosts costs = costs(now, job, prices, history, units, work, (int) slack + 1);
        boolean has = history.available();
        int group = AvailabilityModel.group(history.age(now));
        SpotChoice current = job.current() == SpotChoice.SPOT ? SpotChoice.WAIT : job.current();
        double spot = costs.of(SpotChoice.SPOT, work, slack, has, group, current);
        double waiting = costs.of(SpotChoice.WAIT, work, slack, has, group, current);
        double onDemand = costs.of(SpotChoice.ON_DEMAND, work, slack, has, group, current);
        String figures =
                "slack %s, spot capacity %s for %s; expected cost in hours on demand: "
                        .formatted(
                                text(job.slack()),
                                has ? "available" : "unavailable",
                                text(history.age(now)))
                        + shown("spot ", spot, step)
                        + shown("wait ", waiting, step)
                        + shown("on demand ", onDemand, step);
        return new SpotDecision(least(spot, waiting, onDemand), figures.strip());
    }

    private static SpotChoice least(double spot, double waiting, double onDemand) {
        if (spot <= waiting && spot <= onDemand) {
            return SpotChoice.SPOT;
        }
        return waiting <= onDemand ? SpotChoice.WAIT : SpotChoice.ON_DEMAND;
    }

    private ExpectedCosts costs(
            long now,
            DeadlineJob job,
            SpotPrices prices,
            SpotHistory history,
            int units,
            int work,
            int slack) {
        int outages = history.outageHalvings(now);
        int supplies = history.supplyHalvings(now);
        var key = new Key(units, job.overhead(), prices, outages, supplies);
        ExpectedCosts costs = tables.get(key);
        if (costs == null || !costs.covers(work, slack)) {
            var model =
                    new AvailabilityModel(
                            SpotHistory.pace(outages), SpotHistory.pace(supplies), units);
            double start = (double) job.overhead() / (units * AvailabilityModel.UNIT);
            costs = new ExpectedCosts(round(work), round(slack), start, prices.ratio(), model);
            tables.put(key, costs);
            if (tables.size() > mostTables) {
                tables.remove(tables.keySet().iterator().next());
            }
        }
        return costs;
    }

    /// Sizes in few steps, so that a table serves jobs of similar length.
    private static int round(int steps) {
        return (steps + SIZE - 1) / SIZE * SIZE;
    }

    private static String shown(String what, double cost, long step) {
        return cost >= ExpectedCosts.NEVER
                ? ""
                : "%s%d.%d ".formatted(what, tenths(cost, step) / 10, tenths(cost, step) % 10);
    }

    private static long tenths(double cost, long step) {
        return (long) StrictMath.rint(cost * step / 360_000);
    }

    private static String text(long millis) {
        long minutes = Math.abs(millis) / 60_000;
        String sign = millis < 0 ? "-" : "";
        return minutes < 60
                ? sign + minutes + " min"
                : sign + minutes / 60 + " h " + minutes % 60 + " min";
    }
}
