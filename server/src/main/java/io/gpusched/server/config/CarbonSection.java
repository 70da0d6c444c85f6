package io.gpusched.server.config;

import io.gpusched.core.model.CarbonPreference;

import java.time.Duration;
import java.util.List;

/// Whether batch jobs that say nothing about it wait for clean power.
final class CarbonSection {
    private static final int USUAL_PRIORITY = 100;

    static final Setting<Long> SLACK =
            Setting.count(
                    "scheduler.carbon.slack_hours",
                    0,
                    0,
                    CarbonPreference.LONGEST_SLACK.toHours(),
                    "hours",
                    "How long a batch job that says nothing about it may wait for clean power; 0"
                            + " for not at all.");
    static final Setting<Long> UP_TO =
            Setting.count(
                    "scheduler.carbon.up_to_priority",
                    USUAL_PRIORITY,
                    -1_000_000,
                    1_000_000,
                    "points",
                    "Highest priority of jobs to which scheduler.carbon.slack_hours applies.");
    static final List<Setting<?>> KEYS = List.of(SLACK, UP_TO);

    private CarbonSection() {}

    static CarbonPreference from(SettingValues settingValues) {
        long hours = settingValues.of(SLACK);
        return hours == 0
                ? CarbonPreference.NONE
                : new CarbonPreference(
                        Duration.ofHours(hours), 0, List.of(), settingValues.number(UP_TO));
    }
}
