package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.LoadInterval;

import java.util.List;

/// Replays a demand on a number of replicas as a flow and tells how many requests would miss their
/// objectives. It needs a few operations per interval, where a simulation of every iteration needs
/// thousands. It is meant for sizes near the right one; for a pool that is far too small it can be
/// wrong by several points.
///
/// All replicas are taken to be loaded alike. Prompt tokens that do not fit into an interval wait
/// for the next one. Running requests leave at the pace of the iterations. Where replicas were seen
/// to answer fewer requests than the iterations allow, further requests wait for their turn.
final class FluidPool {
    private static final double SECONDS = LoadHistory.SECONDS;

    /// The spread of the pace and of the wait between requests of the same time, as fractions.
    private static final double PACE = 0.2;

    private static final double WAIT = 0.25;

    /// Makes the logistic distribution nearly normal.
    private static final double LOGISTIC = 1.702;

    /// The worst minute of a long history is left out: what happened once is not a pattern.
    private static final int WORST = 12;

    private static final int LONG = 180;

    private final ServiceModel model;
    private final Objectives objectives;
    private final double most;

    private double queued;
    private double backlog;
    private double running;
    private double pace;
    private double requestsPerToken;
    private double asked;
    private double missed;

    /// What every request must meet, in seconds, and the tokens of a usual answer.
    record Objectives(double firstToken, double interToken, double outputTokens) {}

    FluidPool(ServiceModel model, Objectives objectives) {
        this(model, objectives, Double.POSITIVE_INFINITY);
    }

    /// @param most requests that a replica answers in a second at most
    FluidPool(ServiceModel model, Objectives objectives, double most) {
        this.model = model;
        this.objectives = objectives;
        this.most = most;
    }

    /// The fraction of requests that miss an objective.
    ///
    /// @param factor by which the demand is multiplied
    double missed(Demand demand, int replicas, double factor) {
        reset();
        var sums = new double[demand.size() + 1];
        for (int i = 0; i < demand.size(); i++) {
            double share = factor / replicas;
            replay(demand.requests(i) * share, demand.tokens(i) * share, demand.weight(i));
            sums[i + 1] = missed;
        }
        double worst = 0;
        for (int i = 0; demand.size() >= LONG && i < demand.size(); i++) {
            worst = Math.max(worst, sums[Math.min(demand.size(), i + WORST)] - sums[i]);
        }
        return asked == 0 ? 0 : (missed - worst) / asked;
    }

    private void reset() {
        queued = 0;
        backlog = 0;
        running = 0;
        pace = model.fixed();
        requestsPerToken = 0;
        asked = 0;
        missed = 0;
    }

    /// How many requests of each interval would have missed an objective on the replicas that were
    /// ready then. All of them miss it where none was.
    double[] missedBy(List<LoadInterval> history) {
        reset();
        var counts = new double[history.size()];
        for (int i = 0; i < counts.length; i++) {
            LoadInterval each = history.get(i);
            double ready = each.mean(LoadCount.READY, LoadCount.KV_COVERED);
            double replicas = Math.max(1, ready);
            double before = missed;
            replay(
                    each.of(LoadCount.ARRIVALS) / replicas,
                    each.of(LoadCount.PROMPT_TOKENS) / replicas,
                    1);
            counts[i] = ready < 1 ? each.of(LoadCount.ARRIVALS) : (missed - before) * replicas;
        }
        return counts;
    }

    /// The fraction of requests with so long a prompt that would miss an objective on replicas
    /// without any other request: no number of replicas misses fewer.
    double missedAlone(double promptTokens) {
        double iteration = model.decoding(1);
        double prompt = promptTokens * model.perPromptToken();
        double late = miss(objectives.firstToken(), 1.5 * iteration + prompt, WAIT);
        double slow = miss(objectives.interToken(), iteration, PACE);
        return 1 - (1 - late) * (1 - slow);
    }

    /// One interval of one replica.
    private void replay(double requests, double tokens, double weight) {
        double longest = model.longest(running);
        double rate = model.room(running) / longest;
        double work = backlog + tokens;
        double done = Math.min(work, rate * SECONDS);
        double iteration = done < work ? longest : Math.min(longest, iteration(work));
        if (requests > 0) {
            double ahead = backlog + Math.max(0, tokens - rate * SECONDS) / 2;
            double prompt = tokens / requests * model.perPromptToken();
            double first = turn(requests) + ahead / rate + 1.5 * iteration + prompt;
            double late = miss(objectives.firstToken(), first, WAIT);
            double slow =
                    longest <= objectives.interToken()
                            ? 0
                            : miss(objectives.interToken(), pace, PACE);
            asked += weight * requests;
            missed += weight * requests * (1 - (1 - late) * (1 - slow));
            requestsPerToken = requests / Math.max(1, tokens);
        }
        queued = Math.max(0, queued + requests - most * SECONDS);
        backlog = work - done;
        running += done * requestsPerToken;
        double life = Math.max(1, objectives.outputTokens()) * iteration;
        running -= running * Math.min(1, SECONDS / life);
        pace += (iteration - pace) * Math.min(1, 2 * SECONDS / life);
    }

    /// Seconds that the requests of an interval wait for their turn, in the mean.
    private double turn(double requests) {
        return (queued + Math.max(0, requests - most * SECONDS) / 2) / most;
    }

    /// How long an iteration takes when all of the prompt tokens are read within the interval.
    private double iteration(double tokens) {
        double reading = Math.min(0.95, model.perPromptToken() * tokens / SECONDS);
        return model.decoding(running) / (1 - reading);
    }

    /// How likely a figure is above its objective, when it is usually at its mean.
    private static double miss(double objective, double mean, double spread) {
        double distance = (objective / mean - 1) / spread;
        return distance > 20 ? 0 : 1 / (1 + StrictMath.exp(LOGISTIC * distance));
    }
}
