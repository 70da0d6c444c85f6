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
/// A job that lasts longer than three days is planned as if three days with their share of its work
/// and of its slack were all: farther ahead, no outage of today matters.
///
/// The deadline comes first: a job whose slack no longer covers one more lost interval and one more
/// start runs on demand. Decisions depend on the arguments alone; tables are kept only for speed.
public final class DeadlineRule {
    private static final int MOST_STEPS = 432;
    private static final int SIZE = 144;
    private static final long STEP = AvailabilityModel.UNIT;

    private record Key(long overhead, SpotPrices prices, int outages, int supplies) {}

    private final Map<Key, ExpectedCosts> tables = new LinkedHashMap<>(16, 0.75f, true);
    private final int mostTables;

    /// @param mostTables how many tables of expected costs are kept, about 6 MB each
    public DeadlineRule(int mostTables) {
        this.mostTables = mostTables;
    }

    /// @param now in milliseconds, on the clock of the history
    public SpotDecision decide(long now, DeadlineJob job, SpotPrices prices, SpotHistory history) {
        long slack = job.slack();
        long toLeave = job.overhead() + job.interval();
        if (!prices.isSpotCheaper()) {
            return new SpotDecision(
                    SpotChoice.ON_DEMAND, "spot capacity is not cheaper than on demand");
        }
        if (slack < toLeave) {
            return new SpotDecision(
                    SpotChoice.ON_DEMAND,
                    "the slack of "
                            + text(slack)
                            + " is too short for anything but on demand; a lost interval and a"
                            + " start take "
                            + text(toLeave));
        }
        if (job.current() == SpotChoice.SPOT && history.available()) {
            return new SpotDecision(
                    SpotChoice.SPOT,
                    "runs on spot capacity; a slack of " + text(slack) + " covers its loss");
        }
        return cheapest(now, job, prices, history);
    }

    private SpotDecision cheapest(
            long now, DeadlineJob job, SpotPrices prices, SpotHistory history) {
        double steps = (double) (job.remaining() + job.slack()) / STEP;
        double share = Math.min(1, MOST_STEPS / steps);
        int work = (int) StrictMath.ceil(share * job.remaining() / STEP);
        double slack = share * job.slack() / STEP;
        ExpectedCosts costs = costs(now, job, prices, history, work, (int) slack + 1);
        boolean has = history.available();
        int group = AvailabilityModel.group(history.age(now));
        SpotChoice current = job.current() == SpotChoice.SPOT ? SpotChoice.WAIT : job.current();
        double spot =
                job.slack() < 2 * job.overhead() + job.interval()
                        ? ExpectedCosts.NEVER
                        : costs.of(SpotChoice.SPOT, work, slack, has, group, current);
        double waiting = costs.of(SpotChoice.WAIT, work, slack, has, group, current);
        double onDemand = costs.of(SpotChoice.ON_DEMAND, work, slack, has, group, current);
        String reason =
                "slack "
                        + text(job.slack())
                        + ", spot capacity "
                        + (has ? "available" : "unavailable")
                        + " for "
                        + text(history.age(now))
                        + "; expected cost in hours on demand:"
                        + shown(" spot ", spot / share)
                        + shown(" wait ", waiting / share)
                        + shown(" on demand ", onDemand / share);
        return new SpotDecision(least(spot, waiting, onDemand), reason);
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
            int work,
            int slack) {
        int outages = history.outageHalvings(now);
        int supplies = history.supplyHalvings(now);
        var key = new Key(job.overhead(), prices, outages, supplies);
        ExpectedCosts costs = tables.get(key);
        if (costs == null || !costs.covers(work, slack)) {
            var model =
                    new AvailabilityModel(SpotHistory.pace(outages), SpotHistory.pace(supplies));
            double start = (double) job.overhead() / STEP;
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

    private static String shown(String what, double cost) {
        if (cost >= ExpectedCosts.NEVER) {
            return "";
        }
        long tenths = (long) StrictMath.rint(cost * STEP / 360_000);
        return what + tenths / 10 + "." + tenths % 10;
    }

    private static String text(long millis) {
        long minutes = Math.abs(millis) / 60_000;
        String sign = millis < 0 ? "-" : "";
        return minutes < 60
                ? sign + minutes + " min"
                : sign + minutes / 60 + " h " + minutes % 60 + " min";
    }
}
