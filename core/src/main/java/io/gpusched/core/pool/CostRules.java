package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

import java.time.Duration;
import java.util.List;

/// What a pool may spend, and whether its replicas may run on spot capacity.
///
/// @param maxMicroDollarsPerHour 0 means no limit
/// @param headroomMillis how far below the SLO the time to the first token must be before money is
///        saved
/// @param spotPercent the most replicas on spot capacity, in percent; 0 means none
/// @param spotTypes values of the node label `instance_type` that may be used as spot; none means
///        all
/// @param maxInterruptions spot is not used after so many interruptions within `window`; 0 means no
///        limit
/// @param migrate whether an interrupted replica is replaced on demand
/// @param fallbackModel the smaller model; empty where there is none
/// @param fallbackOnCost whether the limit of cost switches to it
/// @param fallbackOnSlo whether an SLO at risk switches to it
/// @param largerModel the faster model for an SLO at risk; empty where there is none
public record CostRules(
        long maxMicroDollarsPerHour,
        int headroomMillis,
        int spotPercent,
        List<String> spotTypes,
        int maxInterruptions,
        Duration window,
        boolean migrate,
        String fallbackModel,
        boolean fallbackOnCost,
        boolean fallbackOnSlo,
        String largerModel) {
    /// So many interruptions are remembered; no rule can wait for more.
    public static final int MOST_INTERRUPTIONS = 50;

    public static final CostRules NONE =
            new CostRules(0, 0, 0, List.of(), 0, Duration.ofHours(1), false, "", false, false, "");

    public CostRules {
        spotTypes = List.copyOf(spotTypes);
        Check.that(
                spotPercent >= 0 && spotPercent <= 100,
                "a spot percentage is from 0 to 100, found %s",
                spotPercent);
    }
}
