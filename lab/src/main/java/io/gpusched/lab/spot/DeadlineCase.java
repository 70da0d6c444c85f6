package io.gpusched.lab.spot;

/// One run of the experiment, with its figures as the file writes them.
public record DeadlineCase(
        String region, String trace, String taskHours, String deadlineHours, String overheadHours) {
    /// Seconds of work.
    public double task() {
        return seconds(taskHours);
    }

    /// Seconds from the beginning of the trace.
    public double deadline() {
        return seconds(deadlineHours);
    }

    /// Seconds that every start costs.
    public double overhead() {
        return seconds(overheadHours);
    }

    DeadlineCase with(String overhead) {
        return new DeadlineCase(region, trace, taskHours, deadlineHours, overhead);
    }

    /// The first cells of a row.
    String key() {
        return String.join(",", region, trace, taskHours, deadlineHours, overheadHours);
    }

    private static double seconds(String hours) {
        return Double.parseDouble(hours) * 3600;
    }
}
