package io.gpusched.core.state;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;
import io.gpusched.core.state.TypicalWorkload.Need;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Counts what is asked for, the recent more than the old, and publishes now and then what is
/// [TypicalWorkload] of it. Not with every job: whoever works with it would have to begin anew each
/// time.
final class RequestStatistics {
    /// When so many tasks have been counted, every count is halved.
    private static final long MOST = 20_000;

    private final SequencedMap<Need, Long> counts = new LinkedHashMap<>();
    private long total;
    private long publishAt = 1;
    private TypicalWorkload typicalWorkload = TypicalWorkload.NOTHING;

    TypicalWorkload typicalWorkload() {
        return typicalWorkload;
    }

    void submitted(JobSpec spec) {
        for (Role role : spec.roles()) {
            counts.merge(Need.of(role.shape()), (long) role.min(), Long::sum);
            total += role.min();
        }
        if (total >= MOST) {
            halve();
        }
        if (total >= publishAt) {
            publish();
        }
    }

    private void halve() {
        counts.replaceAll((need, count) -> count / 2);
        counts.values().removeIf(count -> count == 0);
        total = counts.values().stream().mapToLong(Long::longValue).sum();
        publish();
    }

    /// The next time is when a fifth more has been counted.
    private void publish() {
        typicalWorkload = TypicalWorkload.of(counts, typicalWorkload.version() + 1);
        publishAt = total + 1 + total / 5;
    }

    /// All that must be remembered to go on counting and publishing in the same way.
    StateImage.Asked image() {
        return new StateImage.Asked(counts, publishAt, typicalWorkload);
    }

    void restore(StateImage.Asked image) {
        counts.clear();
        counts.putAll(image.counts());
        total = counts.values().stream().mapToLong(Long::longValue).sum();
        publishAt = image.publishAt();
        typicalWorkload = image.typicalWorkload();
    }
}
