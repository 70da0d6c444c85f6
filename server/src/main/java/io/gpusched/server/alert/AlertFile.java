package io.gpusched.server.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.server.config.AlertName;
import io.gpusched.store.PrivateFiles;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The file in the data directory in which the server keeps its alerts, so that a restart neither
/// fires them again nor forgets since when they fire. No decision depends on it, so it is not in
/// the journal. If the file is missing or cannot be read, all alerts begin again, with numbers that
/// were not used before: whoever noted an alert by its id must not find another one.
public final class AlertFile {
    private static final Logger LOG = LoggerFactory.getLogger(AlertFile.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    private final Path path;

    public AlertFile(Path dataDir) {
        this.path = dataDir.resolve("alerts.json");
    }

    /// Reads the file.
    ///
    /// @param lastNumber the number before that of the next alert if the file is missing or invalid
    public AlertBook.Image read(long lastNumber) {
        var nothing = new AlertBook.Image(lastNumber, List.of(), List.of());
        if (!Files.exists(path)) {
            return nothing;
        }
        try {
            JsonNode tree = JSON.readTree(Files.readAllBytes(path));
            if (tree.path("version").asInt() != VERSION) {
                throw new IOException("expected version " + VERSION);
            }
            return new AlertBook.Image(
                    tree.path("last_number").asLong(),
                    alerts(tree.path("firing")),
                    alerts(tree.path("resolved")));
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            LOG.warn("{} cannot be read; alerts begin again: {}", path, e.getMessage());
            return nothing;
        }
    }

    /// Writes the file. A crash leaves the old file or the new one.
    public void write(AlertBook.Image image) {
        ObjectNode tree = JSON.createObjectNode().put("version", VERSION);
        tree.put("last_number", image.lastNumber());
        write(image.firing(), tree.putArray("firing"));
        write(image.resolved(), tree.putArray("resolved"));
        try {
            PrivateFiles.replace(path, JSON.writeValueAsBytes(tree));
        } catch (IOException e) {
            LOG.warn("{} cannot be written; a restart may repeat alerts: {}", path, e.toString());
        }
    }

    private static void write(List<Alert> alerts, ArrayNode out) {
        for (Alert alert : alerts) {
            AlertSubject subject = alert.subject();
            ObjectNode one = out.addObject().put("number", alert.number());
            Finding finding = alert.finding();
            one.put("name", alert.name().name()).put("level", finding.level().name());
            one.put("severity", finding.severity().name());
            one.put("tenant", subject.tenant() == null ? null : subject.tenant().name());
            one.put("job", subject.job() == null ? null : subject.job().toString());
            one.put("node", subject.node() == null ? null : subject.node().name());
            one.put("pool", subject.pool() == null ? null : subject.pool().name());
            one.put("since", alert.since().toString());
            one.put(
                    "resolved_at",
                    alert.resolvedAt() == null ? null : alert.resolvedAt().toString());
            one.put("value", finding.value()).put("threshold", finding.threshold());
            one.put("message", finding.message()).put("remedy", finding.remedy());
            if (!alert.told().isEmpty()) {
                ObjectNode told = one.putObject("told");
                new TreeMap<>(alert.told()).forEach((name, stage) -> told.put(name, stage.name()));
            }
            Alert.Silence silence = alert.silence();
            if (silence != null) {
                one.putObject("silence")
                        .put("until", silence.until().toString())
                        .put("by", silence.by())
                        .put("reason", silence.reason());
            }
        }
    }

    private static List<Alert> alerts(JsonNode list) {
        var alerts = new ArrayList<Alert>();
        for (JsonNode one : list) {
            String resolvedAt = text(one, "resolved_at");
            alerts.add(
                    new Alert(
                            one.path("number").asLong(),
                            AlertName.valueOf(one.path("name").asText()),
                            finding(one),
                            Instant.parse(one.path("since").asText()),
                            resolvedAt == null ? null : Instant.parse(resolvedAt),
                            silence(one.path("silence")),
                            told(one.path("told"))));
        }
        return alerts;
    }

    private static Finding finding(JsonNode one) {
        String tenant = text(one, "tenant");
        String job = text(one, "job");
        String node = text(one, "node");
        String pool = text(one, "pool");
        return new Finding(
                new AlertSubject(
                        tenant == null ? null : new TenantId(tenant),
                        job == null ? null : JobId.parse(job),
                        node == null ? null : new NodeId(node),
                        pool == null ? null : new PoolId(pool)),
                Finding.Level.valueOf(one.path("level").asText()),
                Severity.valueOf(one.path("severity").asText()),
                one.path("value").asDouble(),
                one.path("threshold").asDouble(),
                one.path("message").asText(),
                one.path("remedy").asText());
    }

    private static @Nullable String text(JsonNode one, String field) {
        return one.path(field).isTextual() ? one.path(field).asText() : null;
    }

    private static Map<String, AlertStage> told(JsonNode one) {
        var told = new HashMap<String, AlertStage>();
        one.properties()
                .forEach(
                        entry ->
                                told.put(
                                        entry.getKey(),
                                        AlertStage.valueOf(entry.getValue().asText())));
        return told;
    }

    private static Alert.@Nullable Silence silence(JsonNode one) {
        return one.isObject()
                ? new Alert.Silence(
                        Instant.parse(one.path("until").asText()),
                        one.path("by").asText(),
                        one.path("reason").asText())
                : null;
    }
}
