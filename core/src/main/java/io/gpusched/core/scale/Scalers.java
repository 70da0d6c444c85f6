package io.gpusched.core.scale;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The laws that a pool can choose by name.
public final class Scalers {
    private static final List<Scaler> ALL =
            List.of(
                    new SloScaler(),
                    new TargetsScaler(),
                    new TokensScaler(),
                    new QueueScaler(),
                    new StaticScaler());

    private Scalers() {}

    /// The law of that name; null when there is none.
    public static @Nullable Scaler named(String name) {
        for (Scaler scaler : ALL) {
            if (scaler.name().equals(name)) {
                return scaler;
            }
        }
        return null;
    }

    /// The names of all laws, for messages.
    public static List<String> names() {
        return ALL.stream().map(Scaler::name).toList();
    }
}
