package io.gpusched.server.config;

import io.gpusched.core.model.Tenant;

import java.util.List;

/// The highest priority that a job may request, by its tenant's tier. Users choose the priority in
/// their requests; only an administrator sets the tier.
public record PriorityCaps(int low, int medium, int high, int critical) {
    /// Ten times the usual weight of each tier, and no limit for the highest.
    public static final PriorityCaps DEFAULT = new PriorityCaps(1_000, 5_000, 10_000, 1_000_000);

    private static final String FIELD = "priority_tier";
    private static final String USUAL = "medium";

    static final Setting<Long> LOW = key("low", DEFAULT.low);
    static final Setting<Long> MEDIUM = key(USUAL, DEFAULT.medium);
    static final Setting<Long> HIGH = key("high", DEFAULT.high);
    static final Setting<Long> CRITICAL = key("critical", DEFAULT.critical);
    static final List<Setting<?>> KEYS = List.of(LOW, MEDIUM, HIGH, CRITICAL);

    private static Setting<Long> key(String tier, int usual) {
        return Setting.count(
                "scheduler.priority_caps." + tier,
                usual,
                -1_000_000,
                1_000_000,
                "points",
                "Highest priority that a job of a tenant of tier " + tier + " may request.");
    }

    static PriorityCaps from(SettingValues settingValues) {
        return new PriorityCaps(
                settingValues.number(LOW),
                settingValues.number(MEDIUM),
                settingValues.number(HIGH),
                settingValues.number(CRITICAL));
    }

    /// The tier of the tenant; the default tier if none was set.
    public static String tier(Tenant tenant) {
        String tier = tenant.profile().value(FIELD);
        return tier.isEmpty() ? USUAL : tier;
    }

    /// The highest priority that a job of the tenant may request. The default priority is always
    /// allowed.
    public int of(Tenant tenant, int defaultPriority) {
        int cap =
                switch (tier(tenant)) {
                    case "low" -> low;
                    case "high" -> high;
                    case "critical" -> critical;
                    default -> medium;
                };
        return Math.max(cap, defaultPriority);
    }
}
