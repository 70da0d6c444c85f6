package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import java.util.List;

/// Too few jobs start within the range that was estimated for them first.
final class ForecastCoverage implements AlertCondition {
    static final double FEWEST_STARTS = 50;

    private final double limit;

    ForecastCoverage(double limit) {
        this.limit = limit;
    }

    @Override
    public AlertName name() {
        return AlertName.FORECAST_COVERAGE;
    }

    @Override
    public double threshold() {
        return limit;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        AlertPicture.Learning learning = picture.learning();
        if (learning.judged() < FEWEST_STARTS || Double.isNaN(learning.coverage())) {
            return List.of();
        }
        return List.of(
                new Finding(
                        AlertSubject.CLUSTER,
                        Finding.Level.below(learning.coverage(), limit),
                        Severity.INFO,
                        learning.coverage(),
                        limit,
                        "%s of recent jobs started within their first estimated range; the least is %s"
                                .formatted(
                                        AlertText.percent(learning.coverage()),
                                        AlertText.percent(limit)),
                        "give jobs time limits near their runtime, or let the scheduler learn"
                                + " them (learning.predictions); see gpu-cli model"));
    }
}
