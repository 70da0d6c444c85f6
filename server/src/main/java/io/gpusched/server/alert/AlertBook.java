package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Decides from findings which alerts fire and which are resolved.
///
///     clear ──▶ exceeded ──(hold)──▶ firing ──▶ clear ──(resolveAfter)──▶ resolved
///                  └──▶ clear          └── near: goes on firing
///
/// There is at most one firing alert for each condition and subject. Both the firing and the
/// resolved ones are bounded in number: of one condition the first hundred subjects fire, and the
/// rest are counted. Any thread may call it.
public final class AlertBook {
    static final int MOST_FIRING = 100;
    static final int MOST_RESOLVED = 200;

    private record Key(AlertName name, String subject) {}

    private static final class Entry {
        final Instant exceededSince;
        @Nullable Alert alert;
        @Nullable Instant clearSince;

        Entry(Instant exceededSince) {
            this.exceededSince = exceededSince;
        }
    }

    /// Everything that a restarted server continues from.
    public record Image(long lastNumber, List<Alert> firing, List<Alert> resolved) {
        public static final Image EMPTY = new Image(0, List.of(), List.of());

        public Image {
            firing = List.copyOf(firing);
            resolved = List.copyOf(resolved);
        }
    }

    private final Map<AlertName, Duration> holds;
    private final Duration resolveAfter;
    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    private final List<Alert> resolved = new ArrayList<>();
    private long lastNumber;
    private long suppressed;

    /// @param holds how long each condition must hold before its alert fires; zero when absent
    /// @param resolveAfter how long a condition must be clear before its alert is resolved
    /// @param before where an earlier process stopped: its firing alerts go on and do not fire
    ///        again
    public AlertBook(Map<AlertName, Duration> holds, Duration resolveAfter, Image before) {
        this.holds = Map.copyOf(holds);
        this.resolveAfter = resolveAfter;
        this.lastNumber = before.lastNumber;
        resolved.addAll(before.resolved);
        for (Alert alert : before.firing) {
            var entry = new Entry(alert.since());
            entry.alert = alert;
            entries.put(new Key(alert.name(), alert.subject().key()), entry);
        }
    }

    /// Takes what the conditions found at `now`. Returns the alerts that fired, became more severe
    /// or were resolved by it.
    public synchronized List<Alert> update(Instant now, Map<AlertName, List<Finding>> findings) {
        var changed = new ArrayList<Alert>();
        Map<Key, Finding> found = notClear(findings);
        found.forEach(
                (key, finding) -> {
                    Entry entry = entries.get(key);
                    if (entry != null) {
                        note(key, entry, finding, now, changed);
                    }
                });
        clear(now, found.keySet(), changed);
        admit(now, found, changed);
        return changed;
    }

    private static Map<Key, Finding> notClear(Map<AlertName, List<Finding>> findings) {
        var found = new LinkedHashMap<Key, Finding>();
        findings.forEach(
                (name, ofCondition) -> {
                    for (Finding finding : ofCondition) {
                        if (finding.level() != Finding.Level.CLEAR) {
                            found.putIfAbsent(new Key(name, finding.subject().key()), finding);
                        }
                    }
                });
        return found;
    }

    /// Begins with subjects that newly exceed their threshold, while the condition has places left.
    /// A subject keeps its place until it is clear, so the order of findings does not matter.
    private void admit(Instant now, Map<Key, Finding> found, List<Alert> changed) {
        var places = new EnumMap<AlertName, Integer>(AlertName.class);
        entries.keySet().forEach(key -> places.merge(key.name, 1, Integer::sum));
        suppressed = 0;
        found.forEach(
                (key, finding) -> {
                    if (finding.level() != Finding.Level.EXCEEDED || entries.containsKey(key)) {
                        return;
                    }
                    if (places.merge(key.name, 1, Integer::sum) > MOST_FIRING) {
                        suppressed++;
                        return;
                    }
                    var entry = new Entry(now);
                    entries.put(key, entry);
                    note(key, entry, finding, now, changed);
                });
    }

    private void note(Key key, Entry entry, Finding finding, Instant now, List<Alert> changed) {
        Alert before = entry.alert;
        if (before == null) {
            if (finding.level() != Finding.Level.EXCEEDED) {
                entries.remove(key);
            } else if (!now.isBefore(entry.exceededSince.plus(hold(key.name)))) {
                Alert fired = fired(key.name, entry.exceededSince, finding, now);
                entry.alert = fired;
                changed.add(fired);
            }
            return;
        }
        entry.clearSince = null;
        Alert after = before.with(finding);
        entry.alert = after;
        if (after.severity().compareTo(before.severity()) > 0) {
            changed.add(after);
        }
    }

    private Duration hold(AlertName name) {
        return holds.getOrDefault(name, Duration.ZERO);
    }

    private Alert fired(AlertName name, Instant since, Finding finding, Instant now) {
        lastNumber++;
        Alert.Silence silence = silenceOf(name, finding.subject(), now);
        return new Alert(lastNumber, name, finding, since, null, silence, Map.of());
    }

    /// Handles subjects that no condition found: an alert that fires is resolved when it has been
    /// clear for long enough.
    private void clear(Instant now, Set<Key> found, List<Alert> changed) {
        var entriesLeft = entries.entrySet().iterator();
        while (entriesLeft.hasNext()) {
            var next = entriesLeft.next();
            Entry entry = next.getValue();
            if (found.contains(next.getKey())) {
                continue;
            }
            if (entry.alert == null) {
                entriesLeft.remove();
                continue;
            }
            if (entry.clearSince == null) {
                entry.clearSince = now;
            }
            if (!now.isBefore(entry.clearSince.plus(resolveAfter))) {
                entriesLeft.remove();
                Alert over = entry.alert.resolved(now);
                resolved.addFirst(over);
                changed.add(over);
            }
        }
        while (resolved.size() > MOST_RESOLVED) {
            resolved.removeLast();
        }
    }

    /// Alerts that fire, the most severe first and then the newest, followed by the resolved ones,
    /// the newest first.
    public synchronized List<Alert> all() {
        List<Alert> all = firing();
        all.addAll(resolved);
        return all;
    }

    private List<Alert> firing() {
        var firing = new ArrayList<Alert>();
        for (Entry entry : entries.values()) {
            if (entry.alert != null) {
                firing.add(entry.alert);
            }
        }
        firing.sort(
                Comparator.comparing(Alert::severity).thenComparingLong(Alert::number).reversed());
        return firing;
    }

    /// How many subjects exceeded their threshold in the last evaluation and got no alert, because
    /// too many others of the same condition fire.
    public synchronized long suppressed() {
        return suppressed;
    }

    /// Silences the alert with this id, or ends its silence if `silence` is null. A resolved alert
    /// may be silenced too: if its condition holds again, the new alert is silent. Returns the
    /// alert; null if there is none with this id.
    public synchronized @Nullable Alert silence(String id, Alert.@Nullable Silence silence) {
        return change(id, alert -> alert.with(silence));
    }

    /// Records that a webhook was told of a stage of the alert with this id, so that it is not told
    /// again, also after a restart.
    public synchronized void told(String id, String webhook, AlertStage stage) {
        change(id, alert -> alert.told(webhook, stage));
    }

    private @Nullable Alert change(String id, UnaryOperator<Alert> change) {
        for (Entry entry : entries.values()) {
            if (entry.alert != null && entry.alert.id().equals(id)) {
                entry.alert = change.apply(entry.alert);
                return entry.alert;
            }
        }
        for (int i = 0; i < resolved.size(); i++) {
            if (resolved.get(i).id().equals(id)) {
                resolved.set(i, change.apply(resolved.get(i)));
                return resolved.get(i);
            }
        }
        return null;
    }

    /// The silence of an earlier alert with the same condition and subject; null if there is none
    /// any more.
    private Alert.@Nullable Silence silenceOf(AlertName name, AlertSubject subject, Instant now) {
        for (Alert earlier : resolved) {
            if (earlier.name() == name
                    && earlier.subject().key().equals(subject.key())
                    && earlier.isSilencedAt(now)) {
                return earlier.silence();
            }
        }
        return null;
    }

    public synchronized Image image() {
        return new Image(lastNumber, firing(), List.copyOf(resolved));
    }
}
