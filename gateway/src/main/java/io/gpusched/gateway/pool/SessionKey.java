package io.gpusched.gateway.pool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// A session, by a hash of what its client calls it. The name itself may be as long as a head, and
/// a hundred thousand of them would fill the memory.
public record SessionKey(long high, long low) {
    /// A request without a session.
    public static final SessionKey NONE = new SessionKey(0, 0);

    public static SessionKey of(String name) {
        if (name.isEmpty()) {
            return NONE;
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(name.getBytes(StandardCharsets.UTF_8));
            ByteBuffer bytes = ByteBuffer.wrap(hash);
            return new SessionKey(bytes.getLong(), bytes.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
