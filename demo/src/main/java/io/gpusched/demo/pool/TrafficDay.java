package io.gpusched.demo.pool;

import io.gpusched.sim.replica.ServingRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A day of chat requests, compressed into ten minutes and repeated for ever. The same seed gives
/// the same requests.
///
///     requests/s   night 1   morning from 7 to 10   noon dip   peak 15 at 15   evening   night
final class TrafficDay {
    /// How long a day takes, in seconds.
    static final double SECONDS = 600;

    /// The hour at which the first day begins: the morning comes within a minute.
    static final double FIRST_HOUR = 6;

    private static final double HOURS = 24;

    /// Requests per second at each full hour.
    private static final double[] RATES = {
        1, 1, 1, 1, 1, 1, 1.5, 4, 7, 10, 12, 13, 11, 12, 14, 15, 14, 12, 9, 6.5, 5, 3.5, 2.5, 1.5
    };

    private static final double HIGHEST = 15;
    private static final int LEAST_PROMPT = 100;
    private static final int SPREAD_PROMPT = 1800;
    private static final int LEAST_OUTPUT = 20;
    private static final int SPREAD_OUTPUT = 360;

    private final List<ServingRequest> requests;

    TrafficDay(long seed) {
        var random = new Random(seed);
        var all = new ArrayList<ServingRequest>();
        double at = 0;
        while (true) {
            at += -StrictMath.log(1 - random.nextDouble()) / HIGHEST;
            if (at >= SECONDS) {
                break;
            }
            int prompt = LEAST_PROMPT + random.nextInt(SPREAD_PROMPT);
            int output = LEAST_OUTPUT + random.nextInt(SPREAD_OUTPUT);
            if (random.nextDouble() * HIGHEST < rate(at)) {
                all.add(new ServingRequest(all.size(), at, prompt, output));
            }
        }
        this.requests = List.copyOf(all);
    }

    /// The requests of one day.
    List<ServingRequest> requests() {
        return requests;
    }

    /// Request number `number` of all days. Its own number is that within its day.
    ServingRequest request(long number) {
        ServingRequest one = requests.get((int) (number % requests.size()));
        long day = number / requests.size();
        double arrival = day * SECONDS + one.arrival();
        return new ServingRequest(one.number(), arrival, one.prompt(), one.output());
    }

    /// Requests per second at a time, in seconds since the demo began.
    static double rate(double seconds) {
        double hour = hour(seconds);
        int whole = (int) hour;
        double next = RATES[(whole + 1) % RATES.length];
        return RATES[whole] + (next - RATES[whole]) * (hour - whole);
    }

    /// The hour of the simulated day, from 0 to 24.
    static double hour(double seconds) {
        return (FIRST_HOUR + seconds / SECONDS * HOURS) % HOURS;
    }
}
