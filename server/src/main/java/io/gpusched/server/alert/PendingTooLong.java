package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;

import java.time.Duration;
import java.util.List;

/// Jobs that have waited longer than a limit. There is one alert for each tenant and not for each
/// job: a full cluster would otherwise raise thousands.
final class PendingTooLong implements AlertCondition {
    private final Duration limit;

    PendingTooLong(Duration limit) {
        this.limit = limit;
    }

    @Override
    public AlertName name() {
        return AlertName.PENDING_TOO_LONG;
    }

    @Override
    public double threshold() {
        return limit.toSeconds();
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.queueAges().longerThan(limit).values().stream().map(this::finding).toList();
    }

    private Finding finding(QueueAges.Ages ages) {
        String job = ages.oldest().id().toString();
        return new Finding(
                AlertSubject.of(ages.tenant(), ages.oldest().id()),
                Finding.Level.EXCEEDED,
                Severity.WARNING,
                ages.longest().toSeconds(),
                limit.toSeconds(),
                "%s of tenant %s waited longer than %s; %s has waited longest: %s"
                        .formatted(
                                Plurals.of(ages.jobs(), "job"),
                                ages.tenant().name(),
                                AlertText.time(limit),
                                job,
                                AlertText.time(ages.longest())),
                "see why it waits and what would start it: gpu-cli explain " + job);
    }
}
