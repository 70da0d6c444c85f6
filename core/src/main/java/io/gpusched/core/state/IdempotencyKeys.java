package io.gpusched.core.state;

import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Idempotency keys of the last day, so that a submission repeated after a lost response returns
/// its job.
public final class IdempotencyKeys {
    private static final Duration KEPT = Duration.ofHours(24);
    private static final int MOST = 1_000_000;

    /// A key that was used: for which job, for which body, and when.
    public record Used(JobId job, long fingerprint, Instant at) {}

    private final Map<String, Used> used = new LinkedHashMap<>();

    public @Nullable Used find(String key, Instant now) {
        Used found = used.get(key);
        return found == null || found.at().plus(KEPT).isBefore(now) ? null : found;
    }

    /// All keys still kept, oldest first.
    public Map<String, Used> all() {
        return java.util.Collections.unmodifiableMap(used);
    }

    void put(String key, Used use) {
        var oldest = used.entrySet().iterator();
        while (oldest.hasNext()) {
            Used eldest = oldest.next().getValue();
            if (used.size() < MOST && !eldest.at().plus(KEPT).isBefore(use.at())) {
                break;
            }
            oldest.remove();
        }
        used.remove(key);
        used.put(key, use);
    }
}
