package io.gpusched.server.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which conditions raise alerts, and where alerts are sent.
///
/// @param interval time between two evaluations
/// @param resolveAfter how long a condition must be clear before its alert is resolved
/// @param enabled the conditions that are switched on
/// @param holds how long each condition must hold before its alert fires
public record AlertsSection(
        Duration interval,
        Duration resolveAfter,
        Set<AlertName> enabled,
        Map<AlertName, Duration> holds,
        AlertThresholds thresholds,
        List<WebhookSetting> webhooks) {

    static final Setting<Boolean> ENABLED =
            Setting.flag("alerts.enabled", true, "Whether the scheduler raises alerts.");
    static final Setting<Long> INTERVAL =
            Setting.count(
                    "alerts.interval_seconds",
                    10,
                    1,
                    3600,
                    "seconds",
                    "Time between two evaluations of all conditions.");
    static final Setting<Long> RESOLVE =
            Setting.count(
                    "alerts.resolve_seconds",
                    120,
                    0,
                    86_400,
                    "seconds",
                    "How long a condition must be clear before its alert is resolved.");
    static final Setting<Boolean> ALLOW_HTTP =
            Setting.flag(
                    "alerts.allow_http",
                    false,
                    "Whether webhooks may use http: to other machines; otherwise only https.");
    static final Setting<List<ListItem>> WEBHOOKS =
            Setting.items(
                            "alerts.webhooks",
                            "Where alerts are sent: {name, url or url_file, format: json or slack,"
                                    + " secret or secret_file, severities: warning|critical,"
                                    + " alerts: NodeLost|HotGpus}.")
                    .hidden();

    static final List<Setting<?>> KEYS = keys();

    public AlertsSection {
        enabled = Set.copyOf(enabled);
        holds = Map.copyOf(holds);
        webhooks = List.copyOf(webhooks);
    }

    private static List<Setting<?>> keys() {
        var keys = new ArrayList<Setting<?>>();
        keys.addAll(List.of(ENABLED, INTERVAL, RESOLVE, ALLOW_HTTP, WEBHOOKS));
        for (AlertName name : AlertName.values()) {
            keys.add(enabled(name));
            keys.add(hold(name));
            AlertThresholds.KEYS.stream()
                    .filter(key -> key.path().startsWith(name.section()))
                    .forEach(keys::add);
        }
        return List.copyOf(keys);
    }

    private static Setting<Boolean> enabled(AlertName name) {
        return Setting.flag(
                name.section() + "enabled",
                true,
                "Whether there are alerts named " + name.shown() + ".");
    }

    private static Setting<Long> hold(AlertName name) {
        return Setting.count(
                name.section() + "for_seconds",
                name.holdSeconds(),
                0,
                604_800,
                "seconds",
                "How long the condition must hold before the alert fires.");
    }

    static AlertsSection from(SettingValues settingValues) {
        var on = EnumSet.noneOf(AlertName.class);
        var holds = new EnumMap<AlertName, Duration>(AlertName.class);
        for (AlertName name : AlertName.values()) {
            holds.put(name, Duration.ofSeconds(settingValues.of(hold(name))));
            if (settingValues.of(ENABLED) && settingValues.of(enabled(name))) {
                on.add(name);
            }
        }
        boolean allowHttp = settingValues.of(ALLOW_HTTP);
        return new AlertsSection(
                Duration.ofSeconds(settingValues.of(INTERVAL)),
                Duration.ofSeconds(settingValues.of(RESOLVE)),
                on,
                holds,
                AlertThresholds.from(settingValues),
                WebhookSetting.checked(
                        settingValues.each(WEBHOOKS, item -> WebhookSetting.of(item, allowHttp)),
                        settingValues.where(WEBHOOKS)));
    }
}
