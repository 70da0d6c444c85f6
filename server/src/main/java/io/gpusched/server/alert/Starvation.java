package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import java.time.Duration;
import java.util.List;

/// A job that waits far longer than others: many times longer than nine of ten jobs that started
/// recently, or beyond the bound after which the scheduler itself calls a job starving.
final class Starvation implements AlertCondition {
    private final double factor;
    private final Duration least;
    private final Duration bound;

    /// @param least a shorter wait is never starvation
    /// @param bound a longer wait always is, unless it is shorter than `least`
    Starvation(double factor, Duration least, Duration bound) {
        this.factor = factor;
        this.least = least;
        this.bound = bound;
    }

    @Override
    public AlertName name() {
        return AlertName.STARVATION;
    }

    @Override
    public double threshold() {
        return factor;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        double usual = picture.recent().usualWait();
        Duration limit = limit(usual);
        return picture.queueAges().longerThan(limit).values().stream()
                .map(ages -> finding(ages, limit, usual))
                .toList();
    }

    private Duration limit(double usual) {
        if (Double.isNaN(usual)) {
            return bound.compareTo(least) < 0 ? least : bound;
        }
        Duration relative = Duration.ofMillis((long) (usual * factor * 1000));
        Duration limit = relative.compareTo(bound) < 0 ? relative : bound;
        return limit.compareTo(least) < 0 ? least : limit;
    }

    private Finding finding(QueueAges.Ages ages, Duration limit, double usual) {
        String job = ages.oldest().id().toString();
        String others =
                Double.isNaN(usual)
                        ? "the starvation bound is " + AlertText.time(bound)
                        : "9 of 10 jobs that started recently waited at most "
                                + AlertText.time(Duration.ofMillis((long) (usual * 1000)));
        return new Finding(
                AlertSubject.of(ages.tenant(), ages.oldest().id()),
                Finding.Level.EXCEEDED,
                Severity.CRITICAL,
                ages.longest().toSeconds(),
                limit.toSeconds(),
                "%s of tenant %s has waited %s, longer than %s; %s"
                        .formatted(
                                job,
                                ages.tenant().name(),
                                AlertText.time(ages.longest()),
                                AlertText.time(limit),
                                others),
                "see what holds it back: gpu-cli explain %s; an administrator can move it forward: gpu-cli priority %s N"
                        .formatted(job, job));
    }
}
