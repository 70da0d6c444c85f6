package io.gpusched.rl.ppo;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Named settings of PPO.
public enum Preset {
    /// The settings of the published benchmark.
    BASELINE_STABLE(0, 1e-4, 0.01),
    /// Begins by imitating a known rule, then improves it with little exploration.
    WARM_START(40, 1e-4, 0.001);

    public static final List<String> NAMES = Arrays.stream(values()).map(Preset::toString).toList();

    private final PpoSettings settings;

    Preset(int imitationUpdates, double rate, double entropyBonus) {
        this.settings =
                new PpoSettings(
                        2048,
                        8,
                        0.99,
                        0.95,
                        8,
                        2,
                        0.1,
                        entropyBonus,
                        0.5,
                        0.5,
                        true,
                        rate,
                        RateSchedule.EXPONENTIAL,
                        0.2,
                        0.5,
                        0.02,
                        1_000_000,
                        2_000_000,
                        imitationUpdates,
                        1e-3);
    }

    public PpoSettings settings() {
        return settings;
    }

    /// Finds a preset by its name; an unknown name is refused with the known ones.
    public static Preset parse(String name) {
        int at = NAMES.indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "unknown preset '" + name + "'; known are " + String.join(", ", NAMES));
        }
        return values()[at];
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
