package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;

import java.util.List;

/// More scores were explorations than the cap allows. The cap is enforced, so this tells of a cap
/// that was lowered, or of counts that were lost.
final class ExplorationRatio implements AlertCondition {
    static final long FEWEST_CHOICES = 100;

    private final double margin;

    ExplorationRatio(double margin) {
        this.margin = margin;
    }

    @Override
    public AlertName name() {
        return AlertName.EXPLORATION_RATIO;
    }

    @Override
    public double threshold() {
        return margin;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        AlertPicture.Learning learning = picture.learning();
        if (learning.choices() < FEWEST_CHOICES) {
            return List.of();
        }
        double limit = learning.cap() + margin;
        return List.of(
                new Finding(
                        AlertSubject.CLUSTER,
                        Finding.Level.above(learning.explored(), limit),
                        Severity.WARNING,
                        learning.explored(),
                        limit,
                        "%s of %s were explorations; the cap is %s"
                                .formatted(
                                        AlertText.percent(learning.explored()),
                                        Plurals.of(learning.choices(), "score"),
                                        AlertText.percent(learning.cap())),
                        "see what the model is unsure of: gpu-cli model; raise"
                                + " learning.exploration_cap, or lower learning.beta_exploration"));
    }
}
