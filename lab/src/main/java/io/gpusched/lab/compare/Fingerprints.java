package io.gpusched.lab.compare;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Hashes of texts: equal texts have equal fingerprints, other texts almost surely different ones.
public final class Fingerprints {
    private static final int LENGTH = 16;

    private Fingerprints() {}

    public static String of(String... texts) {
        return of(String.join("\0", texts).getBytes(StandardCharsets.UTF_8));
    }

    static String of(byte[] bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes);
            return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
