package io.gpusched.operator.kube;

import java.time.Duration;

/// Which Lease decides who leads, and the times of the election.
///
/// @param identity differs between the processes that may lead
/// @param lease how long a leader that is silent is believed to lead
/// @param renewal a leader that could not renew its lease for so long has lost it; shorter than
///        `lease`, so that it knows before others take over
/// @param pause between two tries
public record LeaseSettings(
        String namespace,
        String name,
        String identity,
        Duration lease,
        Duration renewal,
        Duration pause) {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    public LeaseSettings {
        if (renewal.compareTo(lease) >= 0 || pause.compareTo(renewal) >= 0) {
            throw new IllegalArgumentException(
                    "expected pause < renewal < lease, found %s, %s, %s"
                            .formatted(pause, renewal, lease));
        }
    }

    /// With the usual times.
    public static LeaseSettings of(String namespace, String name, String identity) {
        return new LeaseSettings(namespace, name, identity, LEASE, RENEWAL, PAUSE);
    }
}
