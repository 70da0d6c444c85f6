package io.gpusched.core.pool;

import java.util.List;

/// Where and when a pool may use electricity.
///
/// @param preferredRegions values of the node label `region`, the preferred one first
/// @param maxGramsPerKwh replicas beyond `min` are not started above this; 0 means no limit
/// @param cleanFromMinute start of the hours in which replicas beyond `min` may start, UTC; -1
///        where any hour is right
/// @param cleanMinutes how long those hours last
public record CarbonRules(
        List<String> preferredRegions, int maxGramsPerKwh, int cleanFromMinute, int cleanMinutes) {
    public static final CarbonRules NONE = new CarbonRules(List.of(), 0, -1, 0);

    public CarbonRules {
        preferredRegions = List.copyOf(preferredRegions);
    }
}
