package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadInterval;

import java.util.List;

/// What a pool may have to serve when a replica that is started now is ready.
///
/// The forecast is the present level: a slow mean, and a part of what the fast mean differs from
/// it. How large that part is follows from how well it would have forecast the past. The forecast
/// alone says nothing of bursts. So every past interval tells its surprise: by how much the load
/// differed from the forecast made for it. The surprises of the last hour, added to the present
/// forecast and in their old order, are the load that a plan must stand.
///
/// A pool that has seen little has seen few bursts: until there is evidence, surprises count more
/// than once. Intervals without requests are no evidence.
final class Demand {
    /// Half-lives of the means, in intervals.
    private static final double FAST = 9;

    private static final double SLOW = 96;

    /// The half-life of surprises, in intervals.
    private static final double REMEMBERED = 360;

    /// For how many intervals the prior counts that the fast mean is right.
    private static final double TRUST = 24;

    /// Without any evidence surprises count so many times more.
    private static final double UNKNOWN = 4.5;

    /// Intervals with requests after which that has fallen to an eighth.
    private static final double EVIDENCE = 35;

    /// Limits that keep requests and their prompt tokens plausible together.
    private static final double LEAST_PROMPT = 16;

    private static final double MOST_PROMPT = 16_000;

    private final int size;
    private final double[] requests;
    private final double[] tokens;
    private final double[] weights;
    private double requestForecast;
    private double tokenForecast;

    /// @param history whole intervals, the oldest first
    /// @param ahead the intervals until a new replica is ready
    Demand(List<LoadInterval> history, int ahead) {
        size = history.size();
        requests = counts(history, LoadCount.ARRIVALS);
        tokens = counts(history, LoadCount.PROMPT_TOKENS);
        weights = new double[size];
        double keep = StrictMath.pow(0.5, 1 / REMEMBERED);
        double weight = 1;
        for (int i = size - 1; i >= 0; i--) {
            weights[i] = weight;
            weight *= keep;
        }
        if (size > 0) {
            replace(ahead);
        }
    }

    private static double[] counts(List<LoadInterval> history, LoadCount count) {
        return history.stream().mapToDouble(each -> each.of(count)).toArray();
    }

    /// Replaces what arrived by the forecast and the surprises.
    private void replace(int ahead) {
        double[] fastTokens = means(tokens, FAST);
        double[] slowTokens = means(tokens, SLOW);
        double trust = trust(fastTokens, slowTokens, ahead);
        double[] byTokens = forecasts(fastTokens, slowTokens, trust);
        double[] byRequests = forecasts(means(requests, FAST), means(requests, SLOW), trust);
        requestForecast = byRequests[size - 1];
        tokenForecast = byTokens[size - 1];
        double factor = caution();
        surprise(requests, byRequests, ahead, factor);
        surprise(tokens, byTokens, ahead, factor);
        for (int i = 0; i < size; i++) {
            tokens[i] = Math.max(tokens[i], LEAST_PROMPT * requests[i]);
            requests[i] = Math.max(requests[i], tokens[i] / MOST_PROMPT);
        }
    }

    /// A mean that forgets; it begins as an ordinary one.
    private static double[] means(double[] values, double halfLife) {
        double forgets = 1 - StrictMath.pow(0.5, 1 / halfLife);
        var means = new double[values.length];
        double mean = 0;
        for (int i = 0; i < values.length; i++) {
            mean += Math.max(forgets, 1.0 / (i + 1)) * (values[i] - mean);
            means[i] = mean;
        }
        return means;
    }

    /// How much of the fast mean's deviation was still there when a replica would have been ready,
    /// from 0 to 1, by least squares.
    private double trust(double[] fast, double[] slow, int ahead) {
        double along = 0;
        double square = 0;
        for (int i = 0; i + ahead < size; i++) {
            double deviation = fast[i] - slow[i];
            along += weights[i] * deviation * (tokens[i + ahead] - slow[i]);
            square += weights[i] * deviation * deviation;
        }
        double prior = TRUST * square / size + 1e-9;
        return Math.clamp((along + prior) / (square + prior), 0, 1);
    }

    private static double[] forecasts(double[] fast, double[] slow, double trust) {
        var forecasts = new double[fast.length];
        for (int i = 0; i < fast.length; i++) {
            forecasts[i] = slow[i] + trust * (fast[i] - slow[i]);
        }
        return forecasts;
    }

    private double caution() {
        int busy = 0;
        for (double each : requests) {
            busy += each > 0 ? 1 : 0;
        }
        double unknown = EVIDENCE / (EVIDENCE + busy);
        return 1 + UNKNOWN * unknown * unknown * unknown;
    }

    private void surprise(double[] values, double[] forecasts, int ahead, double factor) {
        double now = forecasts[size - 1];
        double mean = 0;
        for (int i = 0; i < size; i++) {
            mean += values[i] / size;
        }
        for (int i = 0; i < size; i++) {
            double expected = i < ahead ? mean : forecasts[i - ahead];
            values[i] = Math.max(0, now + factor * (values[i] - expected));
        }
    }

    int size() {
        return size;
    }

    /// Requests of an interval.
    double requests(int interval) {
        return requests[interval];
    }

    /// Prompt tokens of an interval.
    double tokens(int interval) {
        return tokens[interval];
    }

    /// How much an interval counts; the newest counts 1.
    double weight(int interval) {
        return weights[interval];
    }

    /// Requests per interval that are expected when a new replica is ready, without surprises.
    double requestForecast() {
        return requestForecast;
    }

    /// Prompt tokens per interval that are expected then.
    double tokenForecast() {
        return tokenForecast;
    }
}
