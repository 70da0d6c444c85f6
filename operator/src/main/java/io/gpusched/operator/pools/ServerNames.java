package io.gpusched.operator.pools;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What an object of a namespace is called at the scheduler, where names are unique: `team-a.chat`.
/// A namespace has no dot, so two objects never have one name. A name that would be too long ends
/// with a part of its hash.
///
/// @param prefix goes before every name, for several clusters at one scheduler; may be empty
record ServerNames(String prefix) {
    private static final int LONGEST = 63;
    private static final int HASH = 12;

    String of(ObjectKey key) {
        return of(key.namespace(), key.name());
    }

    String of(String namespace, String name) {
        return fitted(prefix + namespace + "." + name);
    }

    /// The text as it can be the value of a label, which is at most 63 characters long.
    static String fitted(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        String head = text.substring(0, LONGEST - HASH - 1).replaceFirst("[^A-Za-z0-9]+$", "");
        return head + "-" + hash(text).substring(0, HASH);
    }

    static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
