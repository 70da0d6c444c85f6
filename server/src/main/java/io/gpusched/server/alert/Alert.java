package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// An alert that fires, or that did.
///
/// @param number grows with every alert, also over restarts
/// @param since when the condition began to hold
/// @param resolvedAt null while it fires
/// @param silence null unless an administrator silenced it
public record Alert(
        long number,
        AlertName name,
        Severity severity,
        AlertSubject subject,
        Instant since,
        @Nullable Instant resolvedAt,
        double value,
        double threshold,
        String message,
        String remedy,
        @Nullable Silence silence) {

    /// No webhook is called for a silenced alert until `until`.
    public record Silence(Instant until, String by, String reason) {}

    /// The number as the API writes it: `alert-12`.
    public String id() {
        return "alert-" + number;
    }

    public boolean isFiring() {
        return resolvedAt == null;
    }

    /// `firing` or `resolved`.
    public String state() {
        return isFiring() ? "firing" : "resolved";
    }

    public boolean isSilencedAt(Instant now) {
        return silence != null && silence.until.isAfter(now);
    }

    /// The same alert with what was found last.
    Alert with(Finding finding) {
        return new Alert(
                number,
                name,
                finding.severity(),
                finding.subject(),
                since,
                null,
                finding.value(),
                finding.threshold(),
                finding.message(),
                finding.remedy(),
                silence);
    }

    Alert resolved(Instant at) {
        return new Alert(
                number, name, severity, subject, since, at, value, threshold, message, remedy,
                silence);
    }

    Alert with(@Nullable Silence other) {
        return new Alert(
                number,
                name,
                severity,
                subject,
                since,
                resolvedAt,
                value,
                threshold,
                message,
                remedy,
                other);
    }
}
