package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

import java.time.Duration;

/// How clients reach the replicas of a pool.
///
/// @param port replica number n listens on port + n; 0 means that replicas serve no port
/// @param healthPath answers 200 when a replica can serve
/// @param metricsPath of the replica's own metrics; empty where it has none
/// @param drain how long a replica that stops may finish its requests
/// @param affinityHeader requests with the same value of this header go to the same replica; empty
///        for none
/// @param affinityFor how long a session is kept on its replica
/// @param loadTime how long a replica is assumed to load its model until this was measured
/// @param rolling whether replicas are replaced one after another when the template changes;
///        otherwise only replicas that start later have the new one
public record ServingRules(
        int port,
        String healthPath,
        String metricsPath,
        Duration drain,
        String affinityHeader,
        Duration affinityFor,
        Duration loadTime,
        boolean rolling) {
    public static final ServingRules NONE =
            new ServingRules(
                    0,
                    "/health",
                    "/metrics",
                    Duration.ofSeconds(30),
                    "",
                    Duration.ofHours(1),
                    Duration.ofSeconds(60));

    /// Rules of a pool that updates its replicas.
    public ServingRules(
            int port,
            String healthPath,
            String metricsPath,
            Duration drain,
            String affinityHeader,
            Duration affinityFor,
            Duration loadTime) {
        this(port, healthPath, metricsPath, drain, affinityHeader, affinityFor, loadTime, true);
    }

    public ServingRules {
        Check.that(port >= 0 && port <= 65_535, "a port is from 0 to 65535, found %s", port);
        Check.that(!drain.isNegative(), "a drain time is not negative, found %s", drain);
        Check.that(!loadTime.isNegative(), "a load time is not negative, found %s", loadTime);
    }
}
