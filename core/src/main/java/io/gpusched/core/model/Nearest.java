package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// Finds the name that somebody probably meant.
public final class Nearest {
    private Nearest() {}

    /// The known name that needs the fewest changes to become `key`; null when none is close.
    public static @Nullable String to(String key, List<String> known) {
        if (key.length() > 60) {
            return null;
        }
        String nearest = null;
        int fewest = Math.max(2, key.length() / 3) + 1;
        for (String name : known) {
            int changes = changes(plain(key), plain(name));
            if (changes < fewest) {
                fewest = changes;
                nearest = name;
            }
        }
        return nearest;
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /// Letters to insert, remove or replace: the usual table, one row at a time.
    private static int changes(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
