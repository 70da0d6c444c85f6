package io.gpusched.sim.scaling;

import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.whatif.InvalidWhatIf;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Makes requests from reports of load. A report tells how many requests came in its time and how
/// many prompt tokens they had together; when each came and how long it was is drawn from a seed.
///
/// Prompts are drawn from the exponential distribution, and answers from the sum of two: those of
/// the public traces of Azure vary about as much, and few answers are very short. The prompts of
/// one report have exactly its tokens; all answers together have as many as are reported for each
/// answered request.
final class RequestReconstruction {
    private static final int MOST = 5_000_000;
    private static final long SEED = 1;

    private record Draft(double arrival, int prompt, double output) {}

    private RequestReconstruction() {}

    /// @param from the time from which arrivals are counted
    static List<ServingRequest> of(List<LoadHistory.Sample> reports, Instant from) {
        var random = SeededRandom.of(SEED, "requests", 0);
        var all = new ArrayList<Draft>();
        for (LoadHistory.Sample sample : reports) {
            add(sample, from, random, all);
            if (all.size() > MOST) {
                throw new InvalidWhatIf(
                        "expected at most %,d requests, found more until %s; choose a later beginning"
                                .formatted(MOST, sample.at()));
            }
        }
        all.sort(Comparator.comparingDouble(Draft::arrival));
        double sum = all.stream().mapToDouble(Draft::output).sum();
        double scale = all.isEmpty() ? 0 : meanOutput(reports) * all.size() / sum;
        var requests = new ArrayList<ServingRequest>(all.size());
        for (Draft one : all) {
            int output = (int) Math.max(1, Math.round(one.output() * scale));
            requests.add(new ServingRequest(requests.size(), one.arrival(), one.prompt(), output));
        }
        return requests;
    }

    /// Tokens of one answer, by all reports together.
    static double meanOutput(List<LoadHistory.Sample> reports) {
        long answered = reports.stream().mapToLong(each -> each.load().answered()).sum();
        long tokens = reports.stream().mapToLong(each -> each.load().outputTokens()).sum();
        return answered == 0 ? 1 : Math.max(1, (double) tokens / answered);
    }

    /// Tokens of one prompt, by all reports together.
    static double meanPrompt(List<LoadHistory.Sample> reports) {
        long arrivals = reports.stream().mapToLong(each -> each.load().arrivals()).sum();
        long tokens = reports.stream().mapToLong(each -> each.load().promptTokens()).sum();
        return arrivals == 0 ? 1 : Math.max(1, (double) tokens / arrivals);
    }

    private static void add(
            LoadHistory.Sample sample, Instant from, SeededRandom random, List<Draft> all) {
        PoolLoad load = sample.load();
        double end = Duration.between(from, sample.at()).toNanos() / 1e9;
        double begin = Math.max(0, end - load.over().toNanos() / 1e9);
        double[] parts = new double[Math.min(load.arrivals(), MOST + 1)];
        Arrays.setAll(parts, i -> exponential(random));
        double sum = Arrays.stream(parts).sum();
        for (double part : parts) {
            long prompt = Math.round(load.promptTokens() * part / sum);
            all.add(
                    new Draft(
                            begin + (end - begin) * random.unit(),
                            (int) Math.clamp(prompt, 1L, 10_000_000L),
                            exponential(random) + exponential(random)));
        }
    }

    private static double exponential(SeededRandom random) {
        return -StrictMath.log(1 - random.unit());
    }
}
