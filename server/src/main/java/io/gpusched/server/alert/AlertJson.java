package io.gpusched.server.alert;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Writes an alert as the API and webhooks show it.
public final class AlertJson {
    private AlertJson() {}

    public static ObjectNode of(Alert alert) {
        AlertSubject subject = alert.subject();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", alert.id()).put("name", alert.name().shown());
        json.put("severity", alert.severity().toString()).put("state", alert.state());
        json.put("since", time(alert.since()));
        json.put("resolved_at", time(alert.resolvedAt()));
        json.put("tenant_id", subject.tenant() == null ? null : subject.tenant().name());
        json.put("job_id", subject.job() == null ? null : subject.job().toString());
        json.put("node_id", subject.node() == null ? null : subject.node().name());
        if (subject.pool() != null) {
            json.put("pool", subject.pool().name());
        }
        Finding finding = alert.finding();
        json.put("value", rounded(finding.value()));
        json.put("threshold", rounded(finding.threshold()));
        json.put("message", finding.message()).put("remedy", finding.remedy());
        Alert.Silence silence = alert.silence();
        json.put("silenced_until", silence == null ? null : time(silence.until()));
        json.put("silence_reason", silence == null ? null : silence.reason());
        return json;
    }

    private static @Nullable String time(@Nullable Instant at) {
        return at == null ? null : at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /// Four decimals are enough for people and for comparisons.
    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
