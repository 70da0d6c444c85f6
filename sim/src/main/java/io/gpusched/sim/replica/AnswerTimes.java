package io.gpusched.sim.replica;

import java.util.Arrays;
import java.util.List;

/// When each request got its first and its last token, in seconds; `NaN` for one without answer.
public final class AnswerTimes {
    private final List<ServingRequest> requests;
    private final double[] first;
    private final double[] last;

    public AnswerTimes(List<ServingRequest> requests) {
        this.requests = List.copyOf(requests);
        this.first = new double[requests.size()];
        this.last = new double[requests.size()];
        Arrays.fill(first, Double.NaN);
        Arrays.fill(last, Double.NaN);
    }

    void first(ServingRequest request, double at) {
        first[request.number()] = at;
    }

    void last(ServingRequest request, double at) {
        last[request.number()] = at;
    }

    public double first(int number) {
        return first[number];
    }

    public double last(int number) {
        return last[number];
    }

    public List<ServingRequest> requests() {
        return requests;
    }

    /// The time to the first token.
    public double wait(ServingRequest request) {
        return first[request.number()] - request.arrival();
    }

    /// The mean time between two tokens; 0 for an answer of one token.
    public double pace(ServingRequest request) {
        return request.output() < 2
                ? 0
                : (last[request.number()] - first[request.number()]) / (request.output() - 1);
    }

    /// Whether a request was answered within both objectives, in seconds.
    public boolean isWithin(ServingRequest request, double firstToken, double interToken) {
        return wait(request) <= firstToken && pace(request) <= interToken;
    }

    /// The percentage of requests that were answered within both objectives, in seconds.
    public double percentWithin(double firstToken, double interToken) {
        long within =
                requests.stream().filter(each -> isWithin(each, firstToken, interToken)).count();
        return requests.isEmpty() ? 100 : 100.0 * within / requests.size();
    }

    /// When the last token of all was sent; 0 without requests.
    public double end() {
        return Arrays.stream(last).filter(Double::isFinite).max().orElse(0);
    }
}
