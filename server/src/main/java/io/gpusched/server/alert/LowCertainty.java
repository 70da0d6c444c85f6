package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;

import java.util.List;

/// The learned runtimes are uncertain, so scores and plans that use them are guesses.
final class LowCertainty implements AlertCondition {
    static final long FEWEST_PAIRS = 5;

    private final double limit;

    LowCertainty(double limit) {
        this.limit = limit;
    }

    @Override
    public AlertName name() {
        return AlertName.LOW_CERTAINTY;
    }

    @Override
    public double threshold() {
        return limit;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        AlertPicture.Learning learning = picture.learning();
        if (learning.pairs() < FEWEST_PAIRS || Double.isNaN(learning.certainty())) {
            return List.of();
        }
        return List.of(
                new Finding(
                        AlertSubject.CLUSTER,
                        Finding.Level.below(learning.certainty(), limit),
                        Severity.INFO,
                        learning.certainty(),
                        limit,
                        "the learned runtimes of %s of job and GPU are certain to %s on average; the least is %s"
                                .formatted(
                                        Plurals.of(learning.pairs(), "pair"),
                                        AlertText.percent(learning.certainty()),
                                        AlertText.percent(limit)),
                        "see which runtimes are uncertain: gpu-cli model; give jobs a kind that"
                                + " groups like runs, and let more of them run"));
    }
}
