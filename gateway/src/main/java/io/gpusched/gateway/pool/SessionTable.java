package io.gpusched.gateway.pool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;

/// Which replica each session used last. Sessions that were not used for a while are forgotten, and
/// so is the oldest one when there are too many.
public final class SessionTable {
    private record Entry(String jobId, long usedAt) {}

    private final int most;
    private final LinkedHashMap<SessionKey, Entry> entries = new LinkedHashMap<>();
    private long hits;
    private long lookups;

    SessionTable(int most) {
        this.most = most;
    }

    /// The replica of the session, or null.
    @Nullable String find(SessionKey session, long now, Duration ttl) {
        expire(now, ttl);
        Entry entry = entries.get(session);
        return entry == null ? null : entry.jobId;
    }

    /// Remembers the replica. The table stays in the order of last use.
    ///
    /// @param hit whether it is the replica that the session had before
    void use(SessionKey session, String jobId, long now, boolean hit) {
        boolean known = entries.remove(session) != null;
        if (known) {
            lookups++;
            hits += hit ? 1 : 0;
        } else if (entries.size() >= most) {
            Iterator<SessionKey> oldest = entries.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        entries.put(session, new Entry(jobId, now));
    }

    /// Forgets sessions that were not used within `ttl`. Each session is looked at once when it
    /// expires, because the oldest come first.
    public void expire(long now, Duration ttl) {
        Iterator<Entry> oldest = entries.values().iterator();
        while (oldest.hasNext() && now - oldest.next().usedAt > ttl.toNanos()) {
            oldest.remove();
        }
    }

    public int size() {
        return entries.size();
    }

    /// Of the requests of known sessions, the share that went to the same replica again; 0 when
    /// there were none.
    public double hitRatio() {
        return lookups == 0 ? 0 : (double) hits / lookups;
    }
}
