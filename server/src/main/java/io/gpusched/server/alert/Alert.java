package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// An alert that fires, or that did.
///
/// @param number grows with every alert, also over restarts
/// @param finding what was found last
/// @param since when the condition began to hold
/// @param resolvedAt null while it fires
/// @param silence null unless an administrator silenced it
/// @param told the last stage that each webhook was told of, by its name
public record Alert(
        long number,
        AlertName name,
        Finding finding,
        Instant since,
        @Nullable Instant resolvedAt,
        @Nullable Silence silence,
        Map<String, AlertStage> told) {

    public Alert {
        told = Map.copyOf(told);
    }

    /// No webhook is called for a silenced alert until `until`.
    public record Silence(Instant until, String by, String reason) {}

    /// The number as the API writes it: `alert-12`.
    public String id() {
        return "alert-" + number;
    }

    public AlertSubject subject() {
        return finding.subject();
    }

    public Severity severity() {
        return finding.severity();
    }

    public boolean isFiring() {
        return resolvedAt == null;
    }

    /// `firing` or `resolved`.
    public String state() {
        return isFiring() ? "firing" : "resolved";
    }

    /// What there is to tell about it.
    public AlertStage stage() {
        return isFiring() ? AlertStage.valueOf(severity().name()) : AlertStage.RESOLVED;
    }

    public boolean isSilencedAt(Instant now) {
        return silence != null && silence.until.isAfter(now);
    }

    /// The same alert with what was found last.
    Alert with(Finding last) {
        return new Alert(number, name, last, since, null, silence, told);
    }

    Alert resolved(Instant at) {
        return new Alert(number, name, finding, since, at, silence, told);
    }

    Alert with(@Nullable Silence other) {
        return new Alert(number, name, finding, since, resolvedAt, other, told);
    }

    /// The same alert after a webhook was told of a stage. Messages arrive in order, so a stage
    /// before the last one is not recorded.
    Alert told(String webhook, AlertStage stage) {
        var after = new HashMap<>(told);
        after.merge(webhook, stage, (one, other) -> one.compareTo(other) > 0 ? one : other);
        return new Alert(number, name, finding, since, resolvedAt, silence, after);
    }
}
