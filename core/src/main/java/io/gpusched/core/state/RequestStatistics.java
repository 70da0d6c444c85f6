package io.gpusched.core.state;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;
import io.gpusched.core.state.TypicalWorkload.Need;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Counts requested task shapes, recent ones more than old ones, and publishes the
/// [TypicalWorkload] from time to time. Not with every job: each publication makes its users
/// recompute their tables.
final class RequestStatistics {
    /// When this many tasks have been counted, every count is halved.
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

    /// The next publication is when a fifth more has been counted.
    private void publish() {
        typicalWorkload = TypicalWorkload.of(counts, typicalWorkload.version() + 1);
        publishAt = total + 1 + total / 5;
    }

    /// Everything needed to continue counting and publishing in the same way.
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
