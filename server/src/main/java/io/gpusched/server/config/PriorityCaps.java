package io.gpusched.server.config;

import io.gpusched.core.model.Tenant;

import java.util.List;

/// The highest priority that jobs of a tenant may ask for, by the tenant's tier. Priority is what
/// people write in their own requests; only an administrator sets the tier.
public record PriorityCaps(int low, int medium, int high, int critical) {
    /// Ten times the weight that each tier is known by, and no bound for the highest.
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
                "The highest priority that jobs of a tenant of tier " + tier + " may ask for.");
    }

    static PriorityCaps from(SettingValues settingValues) {
        return new PriorityCaps(
                settingValues.number(LOW),
                settingValues.number(MEDIUM),
                settingValues.number(HIGH),
                settingValues.number(CRITICAL));
    }

    /// The tier of the tenant; the usual one where none was given.
    public static String tier(Tenant tenant) {
        String tier = tenant.profile().value(FIELD);
        return tier.isEmpty() ? USUAL : tier;
    }

    /// The highest priority that jobs of the tenant may ask for. What a job gets that names no
    /// priority is never too high.
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
