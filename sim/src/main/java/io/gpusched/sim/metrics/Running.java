package io.gpusched.sim.metrics;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// One run of a job: what it holds, and what that comes to. It is settled whenever something about
/// it changes, so that between two settlements all its rates are constant.
final class Running {
    final List<Stay> stays;
    final Instant placed;
    final Bars.Drawn drawn;
    private final Account account;
    /// Ranks that hold GPUs without using them.
    final TreeMap<Integer, Instant> idle = new TreeMap<>();

    boolean runs;
    Instant ranFrom;
    private Instant since;
    private double watts;
    private double marketWatts;
    private double wattGrams;
    private double dollarsPerHour;
    private long milli;
    private final long placedMilli;

    Running(List<Stay> stays, Instant placed, Account account, Bars.Drawn drawn) {
        this.stays = stays;
        this.drawn = drawn;
        this.placed = placed;
        this.account = account;
        this.since = placed;
        this.ranFrom = placed;
        rate();
        this.placedMilli = milli;
    }

    boolean uses(Stay stay) {
        return runs && !idle.containsKey(stay.rank());
    }

    /// Charges the account up to now, and looks at the rates anew.
    void settle(Instant now, Fleet fleet) {
        double hours = seconds(since, now) / 3600;
        account.gpuHours += milli / 1000.0 * hours;
        account.dollars += dollarsPerHour * hours;
        account.kwh += (watts + marketWatts) * hours / 1000;
        account.grams += fleet.grams(watts, since, now) + wattGrams * hours / 1000;
        since = now;
        rate();
    }

    private void rate() {
        watts = 0;
        marketWatts = 0;
        wattGrams = 0;
        dollarsPerHour = 0;
        milli = 0;
        for (Stay stay : stays) {
            milli += stay.milli();
            double draws = stay.place().wattsOf(stay.gpu(), stay.milli(), uses(stay));
            if (stay.place().grams > 0) {
                marketWatts += draws;
                wattGrams += draws * stay.place().grams;
            } else {
                watts += draws;
            }
            dollarsPerHour += stay.milli() / 1000.0 * stay.place().dollarsPerHour(stay.gpu());
        }
    }

    /// Holds on the other place what it held on the first, as far as its GPUs are there.
    void move(Place from, Place to, Instant now, double seconds, Fleet fleet) {
        if (stays.stream().noneMatch(stay -> stay.place() == from)) {
            return;
        }
        settle(now, fleet);
        for (int i = stays.size() - 1; i >= 0; i--) {
            Stay stay = stays.get(i);
            if (stay.place() != from) {
                continue;
            }
            leave(stay, seconds, fleet);
            stays.remove(i);
            if (stay.gpu() < to.gpus()) {
                var next = new Stay(to, stay.rank(), stay.gpu(), stay.milli());
                stays.add(i, next);
                fleet.hold(next, 1, seconds);
                if (uses(next)) {
                    fleet.busy(next, 1, seconds);
                }
            }
        }
        rate();
    }

    /// Gives a part of a GPU back.
    void leave(Stay stay, double seconds, Fleet fleet) {
        if (uses(stay)) {
            fleet.busy(stay, -1, seconds);
        }
        fleet.hold(stay, -1, seconds);
    }

    double heldSeconds(Instant now) {
        return seconds(placed, now);
    }

    /// What it was given, in thousandths of GPUs.
    long milli() {
        return placedMilli;
    }

    static double seconds(Instant from, Instant to) {
        return (to.toEpochMilli() - from.toEpochMilli()) / 1000.0;
    }
}
