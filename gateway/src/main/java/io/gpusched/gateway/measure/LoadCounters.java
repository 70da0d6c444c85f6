package io.gpusched.gateway.measure;

/// What load reports count about a pool.
///
/// @param arrivals requests that came, the rejected ones included
/// @param promptTokens of the requests that came
/// @param outputTokens that replicas generated
/// @param answered requests whose answer has ended, also with an error or before it was complete
/// @param withinSlo of those, how many met every objective
public record LoadCounters(
        long arrivals,
        long rejected,
        long promptTokens,
        long outputTokens,
        long answered,
        long withinSlo,
        long toolCalls) {
    public static final LoadCounters ZERO = new LoadCounters(0, 0, 0, 0, 0, 0, 0);
    static final LoadCounters REJECTION = new LoadCounters(0, 1, 0, 0, 0, 0, 0);

    static LoadCounters arrival(long promptTokens) {
        return new LoadCounters(1, 0, promptTokens, 0, 0, 0, 0);
    }

    static LoadCounters answer(boolean met) {
        return new LoadCounters(0, 0, 0, 0, 1, met ? 1 : 0, 0);
    }

    static LoadCounters generated(AnswerMeter meter) {
        return new LoadCounters(0, 0, 0, meter.outputTokens(), 0, 0, meter.toolCalls());
    }

    LoadCounters plus(LoadCounters other) {
        return combined(other, 1);
    }

    LoadCounters minus(LoadCounters other) {
        return combined(other, -1);
    }

    private LoadCounters combined(LoadCounters other, int sign) {
        return new LoadCounters(
                arrivals + sign * other.arrivals,
                rejected + sign * other.rejected,
                promptTokens + sign * other.promptTokens,
                outputTokens + sign * other.outputTokens,
                answered + sign * other.answered,
                withinSlo + sign * other.withinSlo,
                toolCalls + sign * other.toolCalls);
    }
}
