package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import java.util.List;

/// A condition that people should know of. It is a pure function of the picture: how long the
/// condition must hold and when an alert resolves is decided by [AlertBook].
public interface AlertCondition {
    AlertName name();

    /// The configured threshold, a time in seconds; NaN if the condition has none.
    double threshold();

    /// What was found, at most one finding for each subject. A subject without a finding is clear.
    List<Finding> evaluate(AlertPicture picture);
}
