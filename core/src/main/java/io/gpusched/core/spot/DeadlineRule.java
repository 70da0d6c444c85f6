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

    /// Work and slack are each rounded up to a whole step.
    private static final int LARGEST = MOST_STEPS + 2;

    private static final long STEP = AvailabilityModel.UNIT;
    private static final double HOUR = 3_600_000;

    private record Key(long overhead, SpotPrices prices, int outages, int supplies) {}

    private final Map<Key, ExpectedCosts> tables = new LinkedHashMap<>(16, 0.75f, true);
    private final int mostTables;
    private long tablesComputed;

    /// @param mostTables how many tables of expected costs are kept, up to 15 MB each
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
        ExpectedHours hours = expected(now, job, prices, history);
        String reason =
                "slack "
                        + text(job.slack())
                        + ", spot capacity "
                        + (history.available() ? "available" : "unavailable")
                        + " for "
                        + text(history.age(now))
                        + "; expected cost in hours on demand:"
                        + shown(" spot ", hours.spot())
                        + shown(" wait ", hours.waiting())
                        + shown(" on demand ", hours.onDemand());
        return new SpotDecision(least(hours.spot(), hours.waiting(), hours.onDemand()), reason);
    }

    /// The expected cost of all that is left, for each next step. A job whose slack is used up has
    /// one choice, and it costs what is left of its work and of its start.
    public ExpectedHours expected(
            long now, DeadlineJob job, SpotPrices prices, SpotHistory history) {
        if (job.slack() < 0 || job.remaining() == 0) {
            long start =
                    job.current() == SpotChoice.ON_DEMAND ? job.overheadLeft() : job.overhead();
            double left = (double) (job.remaining() + start) / HOUR;
            return new ExpectedHours(ExpectedCosts.NEVER, ExpectedCosts.NEVER, left);
        }
        double steps = (double) (job.remaining() + job.slack()) / STEP;
        double share = Math.min(1, MOST_STEPS / steps);
        int work = (int) StrictMath.ceil(share * job.remaining() / STEP);
        double slack = share * job.slack() / STEP;
        ExpectedCosts costs = costs(now, job, prices, history, work, (int) slack + 1);
        boolean has = history.available();
        int group = AvailabilityModel.group(history.age(now));
        boolean lost = job.current() == SpotChoice.SPOT && !has;
        SpotChoice current = lost ? SpotChoice.WAIT : job.current();
        double spot =
                current != SpotChoice.SPOT && job.slack() < 2 * job.overhead() + job.interval()
                        ? ExpectedCosts.NEVER
                        : costs.of(SpotChoice.SPOT, work, slack, has, group, current);
        double waiting = costs.of(SpotChoice.WAIT, work, slack, has, group, current);
        double onDemand = costs.of(SpotChoice.ON_DEMAND, work, slack, has, group, current);
        return new ExpectedHours(hours(spot, share), hours(waiting, share), hours(onDemand, share));
    }

    private static double hours(double steps, double share) {
        return steps >= ExpectedCosts.NEVER ? ExpectedCosts.NEVER : steps / share * STEP / HOUR;
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
            costs = new ExpectedCosts(round(work + slack), start, prices.ratio(), model);
            tablesComputed++;
            tables.put(key, costs);
            if (tables.size() > mostTables) {
                tables.remove(tables.keySet().iterator().next());
            }
        }
        return costs;
    }

    /// How many tables were computed so far, up to a tenth of a second each.
    public long tablesComputed() {
        return tablesComputed;
    }

    /// Sizes in few steps, so that a table serves jobs of similar length.
    private static int round(int steps) {
        return Math.min(LARGEST, (steps + SIZE - 1) / SIZE * SIZE);
    }

    private static String shown(String what, double hours) {
        if (hours >= ExpectedCosts.NEVER) {
            return "";
        }
        long tenths = (long) StrictMath.rint(hours * 10);
        return what + tenths / 10 + "." + tenths % 10;
    }

    /// A time in hours and minutes.
    public static String text(long millis) {
        long minutes = Math.abs(millis) / 60_000;
        String sign = millis < 0 ? "-" : "";
        return minutes < 60
                ? sign + minutes + " min"
                : sign + minutes / 60 + " h " + minutes % 60 + " min";
    }
}
