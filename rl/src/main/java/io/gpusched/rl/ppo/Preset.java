package io.gpusched.rl.ppo;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Named settings of PPO.
public enum Preset {
    /// The settings of the published benchmark.
    BASELINE_STABLE(
            new PpoSettings(
                    2048,
                    8,
                    0.99,
                    0.95,
                    8,
                    2,
                    0.1,
                    0.01,
                    0.5,
                    0.5,
                    true,
                    1e-4,
                    RateSchedule.EXPONENTIAL,
                    0.2,
                    0.5,
                    0.02,
                    1_000_000,
                    2_000_000,
                    0,
                    1e-3)),
    /// Begins by imitating a known rule, then improves it. Returns are not discounted, because what
    /// a start is worth shows only hundreds of steps later, and updates use many episodes, because
    /// single ones vary widely.
    WARM_START(
            new PpoSettings(
                    16_384,
                    32,
                    1,
                    0.95,
                    16,
                    3,
                    0.2,
                    0.002,
                    0.5,
                    0.5,
                    true,
                    1e-3,
                    RateSchedule.LINEAR,
                    0,
                    0.5,
                    0.03,
                    1_000_000,
                    2_000_000,
                    10,
                    1e-3));

    public static final List<String> NAMES = Arrays.stream(values()).map(Preset::toString).toList();

    private final PpoSettings settings;

    Preset(PpoSettings settings) {
        this.settings = settings;
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
